import { pool } from "@/server/db";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { pauseRun, resumeRun } from "@/server/runs/service/control-run";
import { saveSink } from "@/server/tracing/service/save-sink";
import type { DatabaseKind } from "@/tests/support/databases";
import { startTraceReceiver, type TraceReceiver } from "@/tests/support/trace-receiver";
import { judge, type Verdict } from "./invariants";
import { problemsOfTrace, spansOfRecord } from "./one-trace";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker, until } from "./world";

const CHILDREN = 4;
const STEPS = 5;
const EFFECTS = CHILDREN * STEPS;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SINK = { headers: [], enabled: true, withContent: false, allowPrivateHost: true };
/** Of tables without a column that names the run, how its rows are found. */
const KEYS: Record<string, string> = {
  runs: "id",
  trace_sinks: "(select id from runs where workspace_id = trace_sinks.workspace_id)",
};

/**
 * A supervisor and its children are paused, a day passes with no worker at all, they are resumed, their worker dies in the middle and
 * another takes over: one tree, one list of events, one trace, nothing done twice, and a day nobody counts as work.
 */
export async function pausedADay(kind: DatabaseKind): Promise<Verdict> {
  const world = await aWorld(kind, { honoursKey: true, latencyMs: 20 });
  const { scope } = world;
  let worker: TestWorker | undefined;
  let receiver: TraceReceiver | undefined;
  const startWorker = () => startTestWorker(world, undefined, { traces: true });
  try {
    receiver = await startTraceReceiver();
    await saveSink({ scope, input: { ...SINK, endpoint: receiver.url } });
    worker = await startWorker();
    const runId = await startRunOf(world, world.team, `[[delegate=${CHILDREN};tools=${STEPS}]] over a day`);
    const applied = (share: number) => async () => world.effects.applied().size >= EFFECTS * share;
    await until("a third of the work", applied(0.3));
    await pauseRun({ scope, runId });
    await worker.kill();
    await until("the end of what was sent", async () => world.effects.underWay() === 0);
    await moveBack(runId, DAY_MS);
    worker = await startWorker();
    await resumeRun({ scope, runId });
    await until("two thirds of the work", applied(0.6));
    await worker.kill();
    worker = await startWorker();
    await answerUntilEnded(world, [runId]);
    const expected = await spansOfRecord(runId);
    const { spans } = receiver;
    await until("the whole trace", async () => new Set(spans.map(({ spanId }) => spanId)).size >= expected.size);

    const verdict = await judge(world, [runId], {
      effects: EFFECTS,
      mostRepeatedCalls: 2 * (CHILDREN + 1),
      movedBackMs: DAY_MS,
    });
    const { problems, takeovers } = await judgeRecord(world.scope.workspaceId, runId);
    const figures = {
      takeovers,
      traces: new Set(spans.map(({ traceId }) => traceId)).size,
      spans: expected.size,
      spans_sent_again: spans.length - new Set(spans.map(({ spanId }) => spanId)).size,
    };
    const ofTrace = problemsOfTrace(runId, spans, expected);
    return { ...verdict, figures, problems: [...verdict.problems, ...problems, ...ofTrace] };
  } finally {
    await worker?.kill();
    await receiver?.close();
    await endWorld(world);
  }
}

/** Everything that was kept of a run happened that much earlier, and what is sent of it was waited for that much longer. */
async function moveBack(runId: string, ms: number): Promise<void> {
  const { rows } = await pool().query<{ table: string; columns: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
     where c.table_schema = 'public' and c.data_type = 'timestamp with time zone' and (c.table_name in ('runs', 'trace_sinks') or exists (
       select from information_schema.columns k where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name = 'run_id'))
     group by c.table_name`,
  );
  for (const { table, columns } of rows) {
    const set = columns.map((column) => `"${column}" = "${column}" - make_interval(secs => $2)`).join(", ");
    const key = KEYS[table] ?? "run_id";
    await pool().query(`update "${table}" set ${set} where ${key} = $1`, [runId, ms / 1_000]);
  }
}

async function judgeRecord(workspaceId: string, runId: string): Promise<{ problems: string[]; takeovers: number }> {
  const problems: string[] = [];
  const { run, agents, decisions } = await getRunTree(workspaceId as Parameters<typeof getRunTree>[0], runId);
  const roots = agents.filter(({ parentId }) => parentId === null).map(({ id }) => id);
  const reached = new Set(roots);
  // What is added while it is gone through is gone through, too.
  for (const above of reached) {
    for (const { id, parentId } of agents) if (parentId === above) reached.add(id);
  }
  if (roots.length !== 1 || agents.length !== CHILDREN + 1)
    problems.push(`${agents.length} agent runs under ${roots.length} roots`);
  if (reached.size !== agents.length)
    problems.push(`${agents.length - reached.size} agent runs hang on none of the tree`);
  const takeovers = decisions.filter(({ kind }) => kind === "takeover").length;
  if (takeovers === 0) problems.push("nobody took it over");
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
  return { problems, takeovers };
}
