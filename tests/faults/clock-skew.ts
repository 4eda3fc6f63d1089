import { pool } from "@/server/db";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import { watchWorkers } from "./taken-for-dead";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

const RUNS = 10;
const STEPS = 5;
const HOUR_MS = 3_600_000;

const TAKEN_OVER_WITHIN_MS = 10_000;

/**
 * F11: one worker's clock is an hour ahead and another's an hour behind; the first is killed. Leases and times are the database's, and
 * the other has taken over in ten seconds.
 */
export async function skewedClocks(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true, latencyMs: 40 });
  const workers: TestWorker[] = [];
  try {
    workers.push(await startTestWorker(world, undefined, { clockSkewMs: HOUR_MS }));
    workers.push(await startTestWorker(world, undefined, { clockSkewMs: -HOUR_MS }));
    const wereTakenForDead = await watchWorkers();
    const runIds: string[] = [];
    for (let i = 0; i < RUNS; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] skewed ${i}`));
    const effects = RUNS * STEPS;
    await until("some work", async () => world.effects.applied().size >= effects / 3);
    // A machine too late for heartbeats: runs change hands, as they should.
    const isLate = await wereTakenForDead();
    await workers[0]?.kill();
    const { rows } = await pool().query<{ at: Date }>("select clock_timestamp() as at");
    await answerUntilEnded(world, runIds);
    const verdict = await judge(world, runIds, { effects, mostRepeatedCalls: (isLate ? STEPS : 1) * RUNS });
    const strange = await countOf(
      `select count(*)::int as n from steps s join runs r on r.id = s.run_id where s.run_id = any($1)
         and (s.started_at < r.created_at - interval '5 s' or s.finished_at > now() + interval '5 s')`,
      [runIds],
    );
    const takeoverMs = await countOf(
      `select coalesce(max(extract(epoch from e.at - $2::timestamptz) * 1000), 0)::int as n from events e
       join decisions d on d.id = (e.body ->> 'id')::uuid
       where e.run_id = any($1) and e.kind = 'decision.made' and d.kind = 'takeover'`,
      [runIds, rows[0]?.at],
    );
    const problems = strange ? [`${strange} steps have the times of a worker's own clock`] : [];
    if (takeoverMs > TAKEN_OVER_WITHIN_MS && !isLate) problems.push(`the last takeover came after ${takeoverMs} ms`);
    return { ...verdict, figures: { takeover_ms: takeoverMs }, problems: [...verdict.problems, ...problems] };
  } finally {
    for (const worker of workers) await worker.kill();
    await endWorld(world);
  }
}
