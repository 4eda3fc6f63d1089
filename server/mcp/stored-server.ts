import { createHash } from "node:crypto";
import type pg from "pg";
import type { ToolServerOffer } from "@/server/tool-servers/rules";

/** A row of tool_servers as the machinery needs it. Secrets stay sealed until something connects. */
export type StoredToolServer = ToolServerOffer & {
  id: string;
  workspaceId: string;
  transport: "http" | "stdio";
  url: string | null;
  command: string | null;
  args: string[];
  secretSealed: string | null;
  updatedAt: Date;
};

const COLUMNS = `id, workspace_id as "workspaceId", name, transport, url, command, args,
  secret_sealed as "secretSealed", enabled, tools, effects, policies, check_error,
  updated_at as "updatedAt"`;

export async function findToolServersByName(
  pool: pg.Pool,
  workspaceId: string,
  names: readonly string[],
): Promise<StoredToolServer[]> {
  if (names.length === 0) return [];
  const { rows } = await pool.query<StoredToolServer>(
    `select ${COLUMNS} from tool_servers where workspace_id = $1 and name = any($2::text[])`,
    [workspaceId, names],
  );
  return rows;
}

export async function findToolServer(pool: pg.Pool, workspaceId: string, id: string): Promise<StoredToolServer | null> {
  const { rows } = await pool.query<StoredToolServer>(
    `select ${COLUMNS} from tool_servers where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** Equal for rows that would be connected to in the same way, secrets included (LOK-MCP-14). */
export function connectionKey({ workspaceId, transport, url, command, args, secretSealed }: StoredToolServer): string {
  const spec = JSON.stringify([workspaceId, transport, url, command, args, secretSealed]);
  return createHash("sha256").update(spec).digest("base64url");
}
