import { ageWords, countWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

/** A receiver that is restarted, or busy for a moment, is no trouble. */
const TROUBLE_AFTER = "interval '2 minutes'";

type Row = { on: number; failing: number; longestMs: number | null; dropped: string };

/** F38: runs go on without it, so nobody else would notice. Says nothing of where a workspace sends its traces: that is its own affair. */
export async function checkTracing({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Row>(
    `SELECT count(*)::int AS on, coalesce(sum(dropped), 0)::text AS dropped,
       count(*) FILTER (WHERE failing_since < now() - ${TROUBLE_AFTER})::int AS failing,
       (extract(epoch FROM max(clock_timestamp() - failing_since)) * 1000)::float8 AS "longestMs"
     FROM trace_sinks WHERE enabled`,
  );
  const { on = 0, failing = 0, longestMs = null, dropped = "0" } = rows[0] ?? {};
  if (on === 0) return { state: "ok", says: "No workspace sends its traces anywhere." };
  const facts = [fact("Workspaces that send traces", on), fact("Agent runs given up", dropped)];
  if (failing === 0)
    return { state: "ok", says: `${countWords(on, "workspace")} send traces, and they are taken.`, facts };
  return {
    state: "warning",
    says: `The traces of ${countWords(failing, "workspace")} could not be sent for ${ageWords(longestMs ?? 0)}.`,
    advice: "An owner of the workspace sees why under Tracing. What waits is kept for 7 days.",
    facts,
  };
}
