import { pool } from "@/server/db";
import type { AgentRow } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import { hidingOf } from "@/server/secrets/redaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { AgentRunDetail } from "../schema";
import { findMessage } from "./messages";
import { AGENT_COLUMNS, toAgentRow } from "./row-json";

type AgentRunRecord = { agent: AgentRow; task: string; result: string | null; instructions: string };

/**
 * An agent run with its words. `instructions` are those it was sent (the published ones plus what the runtime added);
 * before its first call, the published ones without what is kept secret. Throws NOT_FOUND.
 */
export async function getAgentRun(
  workspaceId: WorkspaceId,
  { runId, agentRunId }: { runId: string; agentRunId: string },
): Promise<AgentRunDetail> {
  const { rows } = await pool().query<AgentRunRecord>(
    `SELECT row_to_json(x) AS agent, y.task, y.result, v.config ->> 'instructions' AS instructions
     FROM agent_runs y
     CROSS JOIN LATERAL (SELECT ${AGENT_COLUMNS} FROM agent_runs a WHERE a.id = y.id) x
     JOIN agent_versions v ON v.workspace_id = y.workspace_id AND v.id = y.agent_version_id
     WHERE y.workspace_id = $1 AND y.run_id = $2 AND y.id = $3`,
    [workspaceId, runId, agentRunId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "This agent is not part of the run, or it is in another workspace.");
  const first = await findMessage(workspaceId, { agentRunId, index: 0 });
  const sent = first?.role === "system" ? first.content : null;
  return {
    agent: toAgentRow(row.agent),
    task: row.task,
    instructions: sent ?? (await hidingOf(workspaceId))(row.instructions ?? ""),
    result: row.result,
  };
}
