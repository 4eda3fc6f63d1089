import { afterAll, describe, expect, test } from "vitest";
import { killAtSameCalls } from "@/tests/faults/same-calls";
import { endSpareWorker } from "@/tests/faults/test-worker";
import { DATABASE_KINDS } from "@/tests/support/databases";

/** Several processes are started, one after the other. */
const PATIENCE_MS = 240_000;

afterAll(endSpareWorker);

describe.each(DATABASE_KINDS)("same calls of runs whose worker is killed (%s)", { timeout: PATIENCE_MS }, (kind) => {
  test.each([
    ["honours its key", true],
    ["knows no key", false],
  ])("take place once where the far side %s", async (_, honoursKey) => {
    const found: Record<string, string[]> = {};
    await killAtSameCalls(kind, honoursKey, (name, { problems }) => {
      found[name] = problems;
    });
    expect(Object.keys(found)).toHaveLength(3);
    for (const [name, problems] of Object.entries(found)) expect(problems, name).toEqual([]);
  });
});
