import { pool } from "@/server/db";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerOpen, answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

const RUNS = 8;
const STEPS = 5;
const ROUNDS = 3;

/**
 * Runs are paused in the middle of things, their worker is killed, and they are resumed under another: nothing begins while they are
 * held, and what was recorded before is not done again.
 */
export async function heldAndKilled(kind: DatabaseKind, honoursKey: boolean): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey, latencyMs: 20 });
  const { scope } = world;
  let worker: TestWorker | undefined;
  try {
    worker = await startTestWorker(world);
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] held ${i}`));
    const effects = RUNS * STEPS;
    const problems: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await until("some work", async () => {
        // What was cut off in the round before is asked about; in all runs, if all were in the middle of something.
        await answerOpen(world);
        return world.effects.applied().size >= effects * ((round + 0.5) / (ROUNDS + 0.5));
      });
      for (const runId of runIds) await pauseRun({ scope, runId });
      await worker.kill();
      // What was sent before takes place all the same.
      await until("the end of what was sent", async () => world.effects.underWay() === 0);
      const before = world.effects.applied().size;
      worker = await startTestWorker(world);
      // Whatever a worker would take up by itself it has taken up by the time a new run has ended.
      const passing = await startRunOf(world, world.solo, `[[tools=0]] beside them in round ${round}`);
      await until("the end of a run beside them", async () => (await statusOf(passing)) === "completed");
      if (world.effects.applied().size !== before) problems.push("an effect took place in a run that was paused");
      const moving = await countOf(
        "select count(*)::int as n from agent_runs where run_id = any($1) and status in ('queued', 'running', 'waiting')",
        [runIds],
      );
      if (moving > 0) problems.push(`${moving} agent runs moved while their run was paused`);
      for (const runId of runIds) await resumeRun({ scope, runId }).catch(() => {});
    }
    await answerUntilEnded(world, runIds);
    const verdict = await judge(world, runIds, { effects, mostRepeatedCalls: RUNS * ROUNDS });
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}

async function statusOf(runId: string): Promise<string | undefined> {
  const { rows } = await pool().query<{ status: string }>("select status from runs where id = $1", [runId]);
  return rows[0]?.status;
}
