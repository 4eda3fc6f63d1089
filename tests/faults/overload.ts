import { db, pool } from "@/server/db";
import { stopWorkspace } from "@/server/runs/service/control-workspace";
import { storeRunWith } from "@/server/runs/store-run";
import { inTransaction } from "@/server/transaction";
import type { DatabaseKind } from "@/tests/support/databases";
import { aMember, aTeam, aWorkspace } from "@/tests/support/factories";
import { Gate } from "@/tests/support/gate";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import {
  answerUntilEnded,
  aWorld,
  countOf,
  endWorld,
  runOf,
  startRunOf,
  startTestWorker,
  until,
  type World,
} from "./world";

/** Runs the worker has room for. */
const ROOM = 10;
/** Runs stored in one commit, and commits at once. */
const BATCH = 50;
const LANES = 4;

/**
 * F30: a worker is full and far more runs of one workspace wait for it when somebody in another starts one. That one is next: fewer are begun
 * before it than there is room for. (That a workspace may be told to wait, by 429, is tested at its door.) `stopsRest`: what still waits
 * once that one has ended is stopped by a person, and nothing of it is left.
 */
export async function overload(
  kind: DatabaseKind,
  { runs, stopsRest }: { runs: number; stopsRest: boolean },
): Promise<Verdict> {
  const gate = new Gate();
  const world = await aWorld(kind, { honoursKey: true, answersAfter: () => gate.opened });
  let worker: TestWorker | undefined;
  try {
    const scope = await aMember(db(), await aWorkspace(db()));
    const team = await aTeam(db(), scope.workspaceId, { supervisor: { canSpawnAgents: false }, agents: [] });
    worker = await startTestWorker(world, undefined, { mostRuns: ROOM });
    const runIds = await storeMany(world, runs);
    const begun = () => countOf("select count(*)::int as n from runs where started_at is not null");
    await until("a full worker", async () => (await begun()) === ROOM);
    const only = await startRunOf({ ...world, scope }, team, "[[tools=0]] the only one");
    gate.open();
    let stopped = 0;
    if (stopsRest) {
      await answerUntilEnded(world, [only]);
      stopped = (await stopWorkspace({ scope: world.scope })).runs;
    }
    await answerUntilEnded(world, [...runIds, only]);
    const verdict = await judge(world, [...runIds, only], { effects: 0, mostRepeatedCalls: 0, stopped });
    await until("the end of what was begun", async () => (await underWay()) === 0);
    const { rows } = await pool().query<{ before: number; waited_ms: number }>(
      `select (extract(epoch from own.started_at - own.created_at) * 1000)::int as waited_ms,
         (select count(*)::int from runs r where r.started_at > own.created_at and r.started_at < own.started_at) as before
       from runs own where own.id = $1`,
      [only],
    );
    const { before = runs, waited_ms: waitedMs = 0 } = rows[0] ?? {};
    if (before >= ROOM)
      verdict.problems.push(`${before} runs of another workspace were begun before the only one of its own`);
    return { ...verdict, figures: { waited_ms: waitedMs, ...(stopsRest ? { runs_stopped: stopped } : {}) } };
  } finally {
    gate.open();
    await worker?.kill();
    await endWorld(world);
  }
}

async function storeMany(world: World, runs: number): Promise<string[]> {
  const runIds: string[] = [];
  let next = 0;
  const lane = async () => {
    while (next < runs) {
      const from = next;
      next += BATCH;
      const batch = await inTransaction(async (client) => {
        const ids: string[] = [];
        for (let i = from; i < Math.min(from + BATCH, runs); i++) {
          ids.push(await storeRunWith(client, runOf(world, world.solo, `[[tools=0]] of many ${i}`)));
        }
        return ids;
      });
      runIds.push(...batch);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return runIds;
}

/** Workflows that somebody carries on, or that wait for it. */
const underWay = () =>
  countOf("select count(*)::int as n from dbos.workflow_status where status in ('PENDING', 'ENQUEUED')");
