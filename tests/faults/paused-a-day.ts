import { pool } from "@/server/db";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import type { DatabaseKind } from "@/tests/support/databases";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker, until } from "./world";

const CHILDREN = 4;
const STEPS = 5;
const EFFECTS = CHILDREN * STEPS;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A supervisor and its children are paused, a day passes with no worker at all, they are resumed, their worker dies in the middle and
 * another takes over: one tree, one list of events, nothing done twice, and a day nobody counts as work.
 */
export async function pausedADay(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true, latencyMs: 20 });
  const { scope } = world;
  let worker: TestWorker | undefined;
  try {
    worker = await startTestWorker(world);
    const runId = await startRunOf(world, world.team, `[[delegate=${CHILDREN};tools=${STEPS}]] over a day`);
    const applied = (share: number) => async () => world.effects.applied().size >= EFFECTS * share;
    await until("a third of the work", applied(0.3));
    await pauseRun({ scope, runId });
    await worker.kill();
    await until("the end of what was sent", async () => world.effects.underWay() === 0);
    await moveBack(runId, DAY_MS);
    worker = await startTestWorker(world);
    await resumeRun({ scope, runId });
    await until("two thirds of the work", applied(0.6));
    await worker.kill();
    worker = await startTestWorker(world);
    await answerUntilEnded(world, [runId]);

    const verdict = await judge(world, [runId], {
      effects: EFFECTS,
      mostRepeatedCalls: 2 * (CHILDREN + 1),
      movedBackMs: DAY_MS,
    });
    const problems = await problemsOf(world.scope.workspaceId, runId);
    return { ...verdict, problems: [...verdict.problems, ...problems] };
  } finally {
    await worker?.kill();
    await endWorld(world);
  }
}

/** Everything that was kept of a run happened that much earlier. */
async function moveBack(runId: string, ms: number): Promise<void> {
  const { rows } = await pool().query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
     where c.table_schema = 'public' and c.data_type = 'timestamp with time zone' and (c.table_name = 'runs' or exists (
       select from information_schema.columns k where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name = 'run_id'))
     group by c.table_name`,
  );
  for (const { table, columns } of rows) {
    const set = columns.map((column) => `"${column}" = "${column}" - make_interval(secs => $2)`).join(", ");
    const key = table === "runs" ? "id" : "run_id";
    await pool().query(`update "${table}" set ${set} where "${key}" = $1`, [runId, ms / 1_000]);
  }
}

async function problemsOf(workspaceId: string, runId: string): Promise<string[]> {
  const problems: string[] = [];
  const { run, agents } = await getRunTree(workspaceId as Parameters<typeof getRunTree>[0], runId);
  const ids = new Set(agents.map(({ id }) => id));
  const roots = agents.filter(({ parentId }) => parentId === null).length;
  if (roots !== 1 || agents.length !== CHILDREN + 1) problems.push(`${agents.length} agent runs under ${roots} roots`);
  if (agents.some(({ parentId }) => parentId !== null && !ids.has(parentId)))
    problems.push("an agent run hangs on none of the tree");
  const { rows } = await pool().query<{ span: number; active: number; held: number; resumed: number }>(
    `select (extract(epoch from max(e.at) - min(e.at)) * 1000)::float8 as span, r.active_ms::float8 as active,
       count(*) filter (where e.kind = 'run.status' and e.body ->> 'status' = 'paused')::int as held,
       (select count(*)::int from decisions d where d.run_id = r.id and d.kind = 'resume') as resumed
     from runs r join events e on e.run_id = r.id where r.id = $1 group by r.id`,
    [runId],
  );
  const [told] = rows;
  if (!told || told.span < DAY_MS) problems.push("its events do not reach over the day");
  if (!told || told.active > HOUR_MS) problems.push(`the day counts as work: ${told?.active} ms`);
  if (told?.held !== 1 || told.resumed !== 1)
    problems.push(`paused ${told?.held} times, resumed ${told?.resumed} times`);
  if (!run.finishedAt || !run.startedAt) problems.push("it has no beginning or no end");
  return problems;
}
