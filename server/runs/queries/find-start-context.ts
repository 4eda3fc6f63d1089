import { pool } from "@/server/db";
import type { RunContext } from "@/server/engine/run-context";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** What a run was about when it began, whatever became of that since: told right after its root agent run was made. Null: nothing. */
export async function findStartContext(workspaceId: WorkspaceId, runId: string): Promise<RunContext | null> {
  const { rows } = await pool().query<{ context: RunContext }>(
    `SELECT told.body -> 'context' AS context
     FROM events made JOIN events told ON told.workspace_id = $1 AND told.run_id = $2 AND told.seq = made.seq + 1
       AND told.kind = 'agent.context' AND told.agent_run_id = made.agent_run_id
     WHERE made.workspace_id = $1 AND made.run_id = $2 AND made.kind = 'agent.created' ORDER BY made.seq LIMIT 1`,
    [workspaceId, runId],
  );
  return rows[0]?.context ?? null;
}
