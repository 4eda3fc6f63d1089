import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ErrorCount } from "../schema";

/**
 * How often each stable code was stored with a failed step of the last day and the last seven (AGT-ERR-02), the most frequent first.
 * What a fork kept of another run is counted there, and
 * what failed in an imported run where it was made.
 */
export async function countErrors(workspaceId: WorkspaceId): Promise<ErrorCount[]> {
  const { rows } = await pool().query<ErrorCount>(
    `SELECT error ->> 'stableCode' AS "stableCode", error ->> 'code' AS code, error ->> 'category' AS category,
       bool_or((error ->> 'retryable')::boolean) AS retryable,
       count(*) FILTER (WHERE finished_at > now() - interval '1 day')::int AS "lastDay", count(*)::int AS "lastWeek"
     FROM steps
     WHERE workspace_id = $1 AND status = 'failed' AND reused IS NULL AND finished_at > now() - interval '7 days' AND error ? 'stableCode'
       AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = steps.run_id)
     GROUP BY 1, 2, 3 ORDER BY "lastWeek" DESC, 1, 2, 3 LIMIT 100`,
    [workspaceId],
  );
  return rows;
}
