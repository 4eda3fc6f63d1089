import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canFollow, isTerminal, RUN_STATUSES, type RunStatus, TERMINAL_STATUSES } from "./state";

const followers = (from: RunStatus) => RUN_STATUSES.filter((to) => canFollow(from, to));
const anyStatus = fc.constantFrom(...RUN_STATUSES);

function reachable(from: RunStatus): Set<RunStatus> {
  const seen = new Set<RunStatus>([from]);
  for (const status of seen) for (const next of followers(status)) seen.add(next);
  return seen;
}

test("what has ended stays ended, and only that", () => {
  expect(RUN_STATUSES.filter(isTerminal)).toEqual([...TERMINAL_STATUSES]);
  for (const status of TERMINAL_STATUSES) expect(followers(status)).toEqual([]);
});

test("every state is reached from queued", () => {
  expect([...reachable("queued")].sort()).toEqual([...RUN_STATUSES].sort());
});

test("from every state a run can end, and a person can stop it", () => {
  for (const status of RUN_STATUSES.filter((status) => !isTerminal(status))) {
    expect([...reachable(status)].some(isTerminal)).toBe(true);
    expect(canFollow(status, "aborted")).toBe(true);
  }
});

test("a run completes only while it is worked on", () => {
  expect(RUN_STATUSES.filter((from) => canFollow(from, "completed"))).toEqual(["running", "waiting"]);
});

test("nothing becomes queued again, and no state follows itself", () => {
  fc.assert(
    fc.property(anyStatus, anyStatus, (from, to) => {
      if (canFollow(from, to)) {
        expect(to).not.toBe("queued");
        expect(to).not.toBe(from);
      }
    }),
  );
});

test("however a run moves, it ends at most once and moves no more", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 60 }), (choices) => {
      let status: RunStatus = "queued";
      let ends = 0;
      for (const choice of choices) {
        const next = followers(status);
        const to = next[choice % Math.max(1, next.length)];
        if (!to) break;
        status = to;
        if (isTerminal(status)) ends += 1;
      }
      expect(ends).toBeLessThanOrEqual(1);
      expect(isTerminal(status)).toBe(ends === 1);
    }),
  );
});

test("the diagram in the README shows exactly these transitions", () => {
  const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const drawn = [...diagram.matchAll(/^\s*(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} → ${to}`);
  const real = RUN_STATUSES.flatMap((from) => followers(from).map((to) => `${from} → ${to}`));
  expect(drawn.sort()).toEqual(real.sort());
});

test("the database has the same states", () => {
  const schema = readFileSync(new URL("../../prisma/schema/runs.prisma", import.meta.url), "utf8");
  const values = /enum RunStatus \{([\s\S]*?)\n\n/.exec(schema)?.[1]?.trim().split(/\s+/);
  expect(values).toEqual([...RUN_STATUSES]);
});
