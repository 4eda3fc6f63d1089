import { expect, test } from "vitest";
import { ChainCheck, type Entry, GENESIS, hashOfEntry } from "./chain";

function chain(length: number): (Entry & { hash: string })[] {
  const entries: (Entry & { hash: string })[] = [];
  for (let seq = 1; seq <= length; seq++) {
    const entry: Entry = {
      ...{ workspaceId: "w", seq, kind: "run.sealed", subjectId: `r${seq}`, digest: "d", events: 3, byId: null },
      ...{ at: "2026-11-23T01:00:00.000Z", previousHash: entries.at(-1)?.hash ?? GENESIS },
    };
    entries.push({ ...entry, hash: hashOfEntry(entry) });
  }
  return entries;
}

function check(entries: readonly (Entry & { hash: string })[], head: { seq: number; hash: string } | null) {
  const checking = new ChainCheck();
  for (const entry of entries) {
    const why = checking.take(entry);
    if (why) return why;
  }
  return checking.end(head);
}
const [one, two, three] = chain(3) as [Entry & { hash: string }, Entry & { hash: string }, Entry & { hash: string }];
const head = { seq: 3, hash: three.hash };

test("a chain that nobody touched holds, an empty one too", () => {
  expect(check([one, two, three], head)).toBeNull();
  expect(check([], null)).toBeNull();
});

test("whatever is changed or taken away breaks it", () => {
  expect(check([one, { ...two, digest: "other" }, three], head)).toBe("Entry 2 was changed.");
  const forged = { ...two, subjectId: "r9" };
  expect(check([one, { ...forged, hash: hashOfEntry(forged) }, three], head)).toBe(
    "Entry 2 is not the one entry 3 was written after.",
  );
  expect(check([one, three], head)).toBe("Entry 2 is missing.");
  expect(check([two, three], head)).toBe("Entry 1 is missing.");
  // At its end the head is missed.
  expect(check([one, two], head)).toBe("Entry 3 is missing.");
  expect(check([one, two, three], { seq: 3, hash: "other" })).toBe(
    "The newest entry is not the one that was written last.",
  );
});
