import { pool } from "@/server/db";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import { watchWorkers } from "./taken-for-dead";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

const RUNS = 20;
const STEPS = 5;
/** Long enough that calls are under way whenever a worker is told to end. */
const MODEL_LATENCY_MS = 250;

/**
 * F3: under load both workers are replaced, one after the other, each told to end as a deployment does. What was under way
 * is finished and recorded, so no call is made twice and, though the far side cannot tell a repeated one, nobody is asked.
 */
export async function rollingRestart(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: false, latencyMs: MODEL_LATENCY_MS });
  const workers: TestWorker[] = [];
  const another = async () => {
    const worker = await startTestWorker(world);
    workers.push(worker);
    return worker;
  };
  try {
    const old = [await another(), await another()];
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] rolling ${i}`));
    const effects = RUNS * STEPS;
    const problems: string[] = [];
    // A machine too late for heartbeats: runs change hands, as they should, and what was under way is made again or asked about.
    let isLate = false;
    for (const [n, worker] of old.entries()) {
      const wereTakenForDead = await watchWorkers();
      await until("some work", async () => world.effects.applied().size >= effects * (0.2 + 0.3 * n));
      isLate ||= await wereTakenForDead();
      worker.process.kill("SIGTERM");
      await Promise.all([worker.ended, another()]);
      if (worker.process.exitCode !== 0) problems.push(`a worker told to end ended with ${worker.process.exitCode}`);
    }
    const wereTakenForDead = await watchWorkers();
    await answerUntilEnded(world, runIds);
    isLate ||= await wereTakenForDead();
    const verdict = await judge(world, runIds, { effects, mostRepeatedCalls: isLate ? effects : 0 });
    const asked = await countOf("select count(*)::int as n from human_requests where run_id = any($1)", [runIds]);
    if (asked > 0 && !isLate) problems.push(`${asked} effects were cut off, so that a person had to be asked`);
    const takeovers = await takeoversMs(runIds);
    if (takeovers.length === 0) problems.push("no agent run changed hands: nothing was tried");
    return {
      ...verdict,
      figures: { takeover_ms: takeovers.at(-1) ?? 0 },
      problems: [...verdict.problems, ...problems],
    };
  } finally {
    for (const worker of workers) await worker.kill();
    await endWorld(world);
  }
}

/** For each change of hands: the time since the last step recorded before it, in milliseconds. */
async function takeoversMs(runIds: readonly string[]): Promise<number[]> {
  const { rows } = await pool().query<{ ms: number }>(
    `select (extract(epoch from e.at - (select max(s.finished_at) from steps s
         where s.agent_run_id = e.agent_run_id and s.finished_at <= e.at)) * 1000)::int as ms
     from events e join decisions d on d.id = (e.body ->> 'id')::uuid
     where e.run_id = any($1) and e.kind = 'decision.made' and d.kind = 'takeover'
     order by ms`,
    [runIds],
  );
  return rows.map(({ ms }) => ms);
}
