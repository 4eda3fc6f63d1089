import { STEP_MS } from "@/server/runs/queries/inside/spent-sql";
import type { SpendingSums } from "../schema";
import { HAS_FAILED, IS_OWN_STEP } from "./calls-of";

/** What sums need of each call, see `callsOf`. What was told is looked into once. */
export const CALL_COLUMNS = `
  ${HAS_FAILED} AS failed, u.position IS NOT NULL AS answered, u.input_tokens, u.cached_tokens, u.output_tokens, u.cost_nano_usd,
  coalesce(u.reasoning_tokens, (m.content -> 'told' ->> 'reasoningTokens')::int) AS reasoning_tokens, m.content -> 'told' AS told, CASE WHEN u.position IS NOT NULL AND ${IS_OWN_STEP} THEN ${STEP_MS} END AS took_ms`;

/** Sums of calls `c` in the shape of `SumsRow`. A call that cost nothing because nothing was counted is silent, not free (LLM-OBS-11). */
export const SUMS = `
  count(*)::int AS calls, (count(*) FILTER (WHERE c.failed))::int AS failed, (count(*) FILTER (WHERE c.answered))::int AS answered,
  coalesce(sum(c.input_tokens), 0)::float8 AS "inputTokens", coalesce(sum(c.cached_tokens), 0)::float8 AS "cachedTokens",
  coalesce(sum(c.output_tokens), 0)::float8 AS "outputTokens",
  sum(c.reasoning_tokens)::float8 AS "reasoningTokens",
  coalesce(sum(c.cost_nano_usd), 0)::float8 AS "costNanoUsd",
  (count(*) FILTER (WHERE c.answered AND c.cost_nano_usd IS NULL AND c.input_tokens + c.output_tokens > 0))::int AS "unpricedCalls",
  (count(*) FILTER (WHERE c.answered AND c.input_tokens + c.output_tokens = 0))::int AS "silentCalls",
  percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY (c.told ->> 'firstPieceMs')::float8) AS first_token,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY c.took_ms)::float8 AS "durationMs"`;

export type SumsRow = {
  calls: number;
  failed: number;
  answered: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number | null;
  costNanoUsd: number;
  unpricedCalls: number;
  silentCalls: number;
  /** Null, or nulls, where no call told. */
  first_token: [number | null, number | null] | null;
  durationMs: number | null;
};

export function toSums({ first_token, ...row }: SumsRow): SpendingSums {
  const [median, p95] = first_token ?? [null, null];
  return { ...row, firstTokenMs: median === null || p95 === null ? null : { median, p95 } };
}
