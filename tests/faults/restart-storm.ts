import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker } from "./world";

const RUNS = 8;
const STEPS = 6;
const RESTARTS = 10;
/** A machine that is late needs more until a run was cut off again and again. */
const MOST_RESTARTS = 100;
/** How long each worker lives; most calls are cut off by the next restart. */
const LIFE_MS = 700;
const MODEL_LATENCY_MS = 300;

/**
 * F40: workers are restarted again and again, by a signal and by force in turn, each soon after it began. The runs get on all the same,
 * none is set aside for it, and nothing is done twice.
 */
export async function restartStorm(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true, latencyMs: MODEL_LATENCY_MS });
  let worker: TestWorker | undefined;
  try {
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] stormed ${i}`));
    const problems: string[] = [];
    const cutOffAgain = () =>
      countOf("select count(*)::int as n from agent_runs where run_id = any($1) and epoch > 2", [runIds]);
    const recorded = () => countOf("select count(*)::int as n from steps where run_id = any($1)", [runIds]);
    let restarts = 0;
    const wasTried = async () => (await recorded()) > 0 && (await cutOffAgain()) > 0;
    for (; restarts < RESTARTS || (restarts < MOST_RESTARTS && !(await wasTried())); restarts++) {
      worker = await startTestWorker(world);
      await new Promise((resolve) => setTimeout(resolve, LIFE_MS));
      worker.process.kill(restarts % 2 ? "SIGTERM" : "SIGKILL");
      await worker.ended;
    }
    if ((await recorded()) === 0) problems.push(`${restarts} restarts long nothing got on`);
    const setAside = await countOf(
      "select count(*)::int as n from agent_runs where run_id = any($1) and status = 'interrupted'",
      [runIds],
    );
    if (setAside > 0) problems.push(`${setAside} runs were set aside by restarts alone`);
    worker = await startTestWorker(world);
    await answerUntilEnded(world, runIds);
    // In flight at each of the restarts: one call of each run.
    const verdict = await judge(world, runIds, { effects: RUNS * STEPS, mostRepeatedCalls: RUNS * restarts });
    if ((await cutOffAgain()) === 0) problems.push("no run was cut off more than once: nothing was tried");
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}
