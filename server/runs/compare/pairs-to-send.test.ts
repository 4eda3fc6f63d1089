import { expect, test } from "vitest";
import { atOnce } from "@/server/in-parts";
import { toldRun } from "@/tests/support/told-run";
import { alignRuns as alignInParts } from "./align-runs";
import { listDifferences } from "./list-differences";
import { pairsToSend } from "./pairs-to-send";

const alignRuns = (...runs: Parameters<typeof alignInParts>) => atOnce(alignInParts(...runs));

const run = (n: number, third: string) =>
  toldRun(n, [
    { name: "Lead", did: ["model", "→ a", "tool a", "model", `→ ${third}`, `tool ${third}`, "model", "→ agent:Child"] },
    { name: "Child", by: { agent: 0, line: 7 }, from: 8, did: ["model", "→ answer"] },
  ]);
const sent = (most: number) => {
  const pairs = alignRuns(run(1, "b"), run(2, "c"));
  return pairsToSend(pairs, listDifferences(pairs), most);
};
const states = (most: number) =>
  sent(most).pairs.map(({ entries }) =>
    entries.map((entry) => (entry.state === "left-out" ? `${entry.same}+${entry.different}` : entry.state)),
  );

test("what fits is sent whole", () => {
  expect(states(100)[0]).toEqual([...Array(4).fill("same"), "changed", "changed", "same", "same"]);
  expect(sent(100).leftOut).toEqual({ same: 0, different: 0 });
  expect(sent(100).pairs[1]?.under).toBe(7);
});

test("of more than that, what differs is sent, and how much lies between is told", () => {
  expect(states(2)).toEqual([["4+0", "changed", "changed", "2+0"], ["2+0"]]);
  expect(sent(2).leftOut).toEqual({ same: 8, different: 0 });
  // The child hangs under the stretch its decision is in.
  expect(sent(2).pairs[1]?.under).toBe(3);
  expect(sent(2).placeOf(0, 4)).toBe(1);
});

test("of more differences than that, the first ones are sent", () => {
  expect(states(1)).toEqual([["4+0", "changed", "2+1"], ["2+0"]]);
  expect(sent(1).leftOut).toEqual({ same: 8, different: 1 });
});
