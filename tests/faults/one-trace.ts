import { pool } from "@/server/db";
import { agentSpanId, stepSpanId, traceIdOf } from "@/server/tracing/rules/span-ids";
import type { ReceivedSpan } from "@/tests/support/trace-receiver";

/** Spans a run's trace is to hold, by id: one for each agent run and each step. */
export async function spansOfRecord(runId: string): Promise<Set<string>> {
  const { rows } = await pool().query<{ agent: string; position: number | null }>(
    `select id as agent, null as position from agent_runs where run_id = $1
     union all select agent_run_id, position from steps where run_id = $1`,
    [runId],
  );
  return new Set(
    rows.map(({ agent, position }) => (position === null ? agentSpanId(agent) : stepSpanId(agent, position))),
  );
}

/**
 * What is wrong with the trace of a run. A worker that was killed between sending and noting so leaves the next to send the same again: a
 * receiver knows it by its id. The same id with anything else in it is another span, and counts as one too many.
 */
export function problemsOfTrace(
  runId: string,
  spans: readonly ReceivedSpan[],
  expected: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  const traces = new Set(spans.map(({ traceId }) => traceId));
  if (traces.size !== 1 || !traces.has(traceIdOf(runId))) problems.push(`its spans belong to ${traces.size} traces`);
  const written = new Set(spans.map(asWritten));
  const ids = new Set(spans.map(({ spanId }) => spanId));
  if (written.size !== ids.size)
    problems.push(`${written.size - ids.size} spans came twice, with something else in them`);
  const roots = new Set(spans.flatMap(({ spanId, parentSpanId }) => (parentSpanId === "" ? [spanId] : [])));
  if (roots.size !== 1) problems.push(`its trace has ${roots.size} roots`);
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== "" && !ids.has(parentSpanId));
  if (orphans.length > 0) problems.push(`${orphans.length} spans hang on none: ${orphans[0]?.name}`);
  const missing = [...expected].filter((id) => !ids.has(id)).length;
  const unknown = [...ids].filter((id) => !expected.has(id)).length;
  if (missing + unknown > 0) problems.push(`${missing} spans are missing, ${unknown} are of nothing in the record`);
  return problems;
}

const asWritten = (span: ReceivedSpan) =>
  JSON.stringify(span, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
