import { pool } from "@/server/db";
import type { FaultPoint } from "@/server/engine/resources";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker } from "./world";

const POINTS: FaultPoint[] = ["after-intent", "after-effect", "after-result"];
const STEPS = 3;
const RUNS = 2;

/**
 * Runs that make the same calls at the same time, each of which counts as one call. A worker is killed at each boundary of such a call;
 * afterwards each took place once, whichever run made it, and the other was answered from there.
 */
export async function killAtSameCalls(
  kind: DatabaseKind,
  honoursKey: boolean,
  report: (name: string, verdict: Verdict) => void,
): Promise<void> {
  const world = await aWorld(kind, { honoursKey });
  let worker: TestWorker | undefined;
  try {
    const runIds: string[] = [];
    for (const point of POINTS) {
      const tag = `${point}-same-${honoursKey ? "keyed" : "unkeyed"}`;
      const killAt = { point, nth: 2 };
      const doomed: TestWorker = worker ?? (await startTestWorker(world, killAt, { sameCalls: true }));
      if (worker) await worker.arm(killAt);
      for (let nth = 1; nth <= RUNS; nth++)
        runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] ${tag} ${nth}`));
      await doomed.ended;
      worker = await startTestWorker(world, undefined, { sameCalls: true });
      await answerUntilEnded(world, runIds);
      const made = (runIds.length / RUNS) * STEPS;
      const verdict = await judge(world, runIds, { effects: made, mostRepeatedCalls: runIds.length });
      const repeated = await countOf(
        "select count(*)::int as n from effects where run_id = any($1) and status = 'repeated'",
        [runIds],
      );
      const expected = runIds.length * STEPS - made;
      const problems = repeated === expected ? [] : [`${repeated} calls were answered from before, not ${expected}`];
      const open = await countOf("select count(*)::int as n from idempotency_entries where state <> 'succeeded'");
      if (open > 0) problems.push(`${open} calls are still in flight`);
      report(`boundary ${tag}`, { ...verdict, problems: [...verdict.problems, ...problems] });
      // The next runs make the same calls, and are to make them anew.
      await pool().query("delete from idempotency_entries");
    }
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}
