import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { hostPortOf } from "@/server/outgoing/targets";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { toolsOf } from "./rules";
import type { ToolServerView } from "./schema";

/** The tool servers of a workspace by name, never with a secret. */
export async function listToolServers(workspaceId: WorkspaceId): Promise<ToolServerView[]> {
  return readToolServers(workspaceId, null);
}

/** Throws NOT_FOUND. */
export async function getToolServer(workspaceId: WorkspaceId, toolServerId: string): Promise<ToolServerView> {
  const [server] = await readToolServers(workspaceId, toolServerId);
  if (!server) throw new AppError("NOT_FOUND", "There is no such tool server.");
  return server;
}

type Row = Omit<ToolServerView, "tools" | "checkedAt" | "checkError" | "privateHostAllowed"> & {
  tools: unknown;
  effects: unknown;
  policies: unknown;
  checked_at: Date | null;
  check_error: string | null;
};

async function readToolServers(workspaceId: WorkspaceId, toolServerId: string | null): Promise<ToolServerView[]> {
  const { rows } = await pool().query<Row>(
    `WITH uses AS (
       SELECT DISTINCT a.id, a.name, split_part(tool, '__', 1) AS server
       FROM agents a
       LEFT JOIN LATERAL (
         SELECT config FROM agent_versions
         WHERE workspace_id = a.workspace_id AND agent_id = a.id ORDER BY number DESC LIMIT 1
       ) v ON true
       CROSS JOIN LATERAL jsonb_array_elements_text(
         coalesce(a.draft -> 'tools', '[]') || coalesce(v.config -> 'tools', '[]')
       ) AS tool
       WHERE a.workspace_id = $1 AND a.archived_at IS NULL AND strpos(tool, '__') > 0
     )
     SELECT s.id, s.name, s.transport, s.url, s.command, s.args, s.secret_names AS "secretNames", s.enabled,
       s.tools, s.effects, s.policies, s.checked_at, s.check_error, u.name AS "createdBy", used.agents AS "usedBy"
     FROM tool_servers s
     LEFT JOIN users u ON u.id = s.created_by_id
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', uses.id, 'name', uses.name) ORDER BY uses.name), '[]') AS agents
       FROM uses WHERE uses.server = s.name
     ) used
     WHERE s.workspace_id = $1 AND ($2::uuid IS NULL OR s.id = $2)
     ORDER BY s.name`,
    [workspaceId, toolServerId],
  );
  const allowed = rows.some(({ url }) => url) ? await allowedHosts(workspaceId) : new Set<string>();
  return rows.map((row) => toView(row, row.url !== null && allowed.has(hostPortOf(row.url))));
}

function toView(
  { effects, policies, checked_at, check_error, ...row }: Row,
  privateHostAllowed: boolean,
): ToolServerView {
  return {
    ...row,
    tools: toolsOf({ ...row, effects, policies, check_error }),
    checkedAt: checked_at?.toISOString() ?? null,
    checkError: check_error,
    privateHostAllowed,
  };
}
