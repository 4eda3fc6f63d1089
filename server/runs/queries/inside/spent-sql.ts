/** Sums of usages `u` in the shape of `SpentRow`. A call that cost nothing because nothing was counted is silent, not free (LLM-OBS-11). */
export const SPENT_SUMS = `
  count(u.position)::int AS calls, coalesce(sum(u.input_tokens), 0)::bigint AS "inputTokens",
  coalesce(sum(u.cached_tokens), 0)::bigint AS "cachedTokens", coalesce(sum(u.output_tokens), 0)::bigint AS "outputTokens",
  coalesce(sum(u.cost_nano_usd), 0)::bigint AS "costNanoUsd",
  count(*) FILTER (WHERE u.cost_nano_usd IS NULL AND u.input_tokens + u.output_tokens > 0)::int AS "unpricedCalls",
  count(*) FILTER (WHERE u.input_tokens + u.output_tokens = 0)::int AS "silentCalls"`;

/** Milliseconds a step took, in whole ones. */
export const STEP_MS = "(date_part('epoch', s.finished_at - s.started_at) * 1000)::bigint";

/** Waiting for agents it started is no work of its own. */
const WAITS_FOR_CHILDREN = "(s.name = 'agent__collect' OR s.name LIKE 'pattern\\_\\_%')";

/** Sums of the time of steps `s` in the shape of `Times`, without `queuedMs`. What was copied from another run took its time there. */
export const TIME_SUMS = `
  ${timeOf("s.kind IN ('model', 'summary')")} AS "modelMs",
  ${timeOf(`s.kind = 'tool' AND NOT ${WAITS_FOR_CHILDREN}`)} AS "toolMs",
  ${timeOf("s.kind = 'retrieval'")} AS "retrievalMs",
  ${timeOf("s.kind = 'human'")} AS "waitingMs",
  ${timeOf(`s.kind = 'tool' AND ${WAITS_FOR_CHILDREN}`)} AS "childrenMs"`;

function timeOf(condition: string): string {
  return `coalesce(sum(${STEP_MS}) FILTER (WHERE ${condition} AND s.reused IS NULL), 0)::bigint`;
}
