import { ageWords, countWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

/** A receiver that is restarted, or busy for a moment, is no trouble. */
const TROUBLE_AFTER = "interval '2 minutes'";

type Row = { on: number; failing: number; gone: number; longestMs: number | null; waiting: number };

/** Runs go on without them, so nobody else would notice. Says nothing of where a workspace's webhooks lead: that is its own affair. */
export async function checkWebhooks({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Row>(
    `SELECT count(*) FILTER (WHERE enabled)::int AS on, count(*) FILTER (WHERE NOT enabled AND problem IS NOT NULL)::int AS gone,
       count(*) FILTER (WHERE enabled AND failing_since < now() - ${TROUBLE_AFTER})::int AS failing,
       (extract(epoch FROM max(clock_timestamp() - failing_since) FILTER (WHERE enabled)) * 1000)::float8 AS "longestMs",
       (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries WHERE status = 'waiting' LIMIT 10000) w) AS waiting
     FROM webhooks`,
  );
  const { on = 0, failing = 0, gone = 0, longestMs = null, waiting = 0 } = rows[0] ?? {};
  if (on === 0 && gone === 0) return { state: "ok", says: "No workspace has a webhook that is on." };
  const facts = [fact("Webhooks that are on", on), fact("Calls that wait", waiting)];
  if (failing > 0) {
    return {
      state: "warning",
      says: `${countWords(failing, "webhook")} could not be called for ${ageWords(longestMs ?? 0)}.`,
      advice: "An owner of the workspace sees why under Webhooks. A call is tried for 3 days.",
      facts,
    };
  }
  if (gone > 0) {
    return {
      state: "warning",
      says: `${countWords(gone, "webhook")} turned off, because the receiver wants no more calls.`,
      advice: "An owner of the workspace gives it another address under Webhooks, or removes it.",
      facts,
    };
  }
  return { state: "ok", says: `${countWords(on, "webhook")} on, and calls are taken.`, facts };
}
