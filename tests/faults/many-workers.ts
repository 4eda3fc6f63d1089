import type { DatabaseKind } from "@/tests/support/databases";
import { Gate } from "@/tests/support/gate";
import { judge, type Verdict } from "./invariants";
import { watchWorkers } from "./taken-for-dead";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, countOf, endWorld, startRunOf, startTestWorker, until } from "./world";

const WORKERS = 4;
/** Far more than there are workers: one whose runs take seconds to open, on a late machine, may begin a few more than it has room for. */
const PARTS = 12;

/** Queued before there is any worker; the others once all are there, who then go for them at once. */
const QUEUED_BEFORE = 0.2;

/**
 * F10: many runs are queued, and four workers begin at once: each run is claimed by one of them, and executed once. Each worker has room for
 * a small part, and no run ends before all four are at work: then each must have taken some, however slow it is.
 */
export async function claimedOnce(kind: DatabaseKind, runs: number): Promise<Verdict> {
  const gate = new Gate();
  const world = await aWorld(kind, { honoursKey: false, answersAfter: () => gate.opened });
  const workers: TestWorker[] = [];
  try {
    const queue = (count: number, what: string) =>
      Promise.all(Array.from({ length: count }, (_, i) => startRunOf(world, world.solo, `[[tools=1]] ${what} ${i}`)));
    const before = Math.floor(QUEUED_BEFORE * runs);
    const runIds = await queue(before, "claimed");
    const mostRuns = Math.ceil(runs / PARTS);
    const begin = () => startTestWorker(world, undefined, { mostRuns });
    // The embedded database has one session for all, whose locks shut nobody out: there one makes DBOS's tables ahead of the others.
    if (kind === "embedded") workers.push(await begin());
    workers.push(...(await Promise.all(Array.from({ length: WORKERS - workers.length }, begin))));
    const wereTakenForDead = await watchWorkers();
    runIds.push(...(await queue(runs - before, "claimed by one of four")));
    await until("work for each of the workers", async () => {
      const atWork = await countOf(
        "select count(distinct worker_id)::int as n from agent_runs where run_id = any($1) and status = 'running'",
        [runIds],
      );
      return atWork === WORKERS;
    });
    gate.open();
    await answerUntilEnded(world, runIds);
    // A machine too late for heartbeats: runs change hands, as they should.
    const isLate = await wereTakenForDead();
    const verdict = await judge(world, runIds, { effects: runs, mostRepeatedCalls: isLate ? 2 * runs : 0 });
    const again = await countOf("select count(*)::int as n from agent_runs where run_id = any($1) and epoch <> 1", [
      runIds,
    ]);
    const problems = again > 0 && !isLate ? [`${again} runs were executed more than once`] : [];
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    gate.open();
    await Promise.all(workers.map((worker) => worker.kill()));
    await endWorld(world);
  }
}
