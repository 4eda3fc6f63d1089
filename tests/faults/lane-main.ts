import { faultCases } from "./cases";
import type { Verdict } from "./invariants";
import { endSpareWorker } from "./test-worker";

/** What the runner and its lanes tell each other. */
export type ToLane = { carryOut: string };
export type FromLane = { report: string; verdict: Verdict } | { done: string };

/**
 * A process that carries out one case after the other as the runner tells it: the product keeps one database a process,
 * so that cases at the same time need a process each.
 */
const { kinds, ...size } = JSON.parse(process.argv[2] ?? "{}");
const cases = faultCases(kinds, size);
const tell = (message: FromLane) => process.send?.(message);

process.on("message", async ({ carryOut }: ToLane) => {
  const found = cases.find(({ name }) => name === carryOut);
  try {
    if (!found) throw new Error("there is no such case");
    await found.run((report, verdict) => tell({ report, verdict }));
  } catch (error) {
    tell({ report: carryOut, verdict: broken(error) });
  }
  tell({ done: carryOut });
});
process.on("disconnect", () => void endSpareWorker().finally(() => process.exit(0)));

function broken(error: unknown): Verdict {
  const cause = error instanceof Error && error.cause ? `; ${String(error.cause)}` : "";
  return {
    finished: 0,
    runs: 0,
    effectsTwice: 0,
    effectsMissing: 0,
    requestsTwice: 0,
    repeatedModelCalls: 0,
    problems: [`it broke off: ${error instanceof Error ? error.stack : String(error)}${cause}`],
  };
}
