import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ConversationSummary, ListConversationsInput } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toSummary } from "./conversation-columns";

/**
 * A page of conversations, the one asked last first. The search looks in titles, in what was asked and in who was
 * asked. Throws INVALID for a cursor that is not ours.
 */
export async function listConversations(
  workspaceId: WorkspaceId,
  input: ListConversationsInput,
): Promise<{ items: ConversationSummary[]; nextCursor: string | null }> {
  const values: unknown[] = [workspaceId];
  const conditions = ["c.workspace_id = $1"];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (input.search) {
    const pattern = bind(`%${input.search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(
      `(c.title ILIKE ${pattern} OR EXISTS (SELECT FROM runs r
        WHERE r.workspace_id = c.workspace_id AND r.conversation_id = c.id AND r.input ILIKE ${pattern})
        OR EXISTS (SELECT FROM teams t WHERE t.workspace_id = c.workspace_id AND t.id = c.team_id AND t.name ILIKE ${pattern})
        OR EXISTS (SELECT FROM agents g WHERE g.workspace_id = c.workspace_id AND g.id = c.agent_id AND g.name ILIKE ${pattern}))`,
    );
  }
  if (input.cursor) {
    const after = parseCursor(input.cursor);
    const at = bind(after.updatedAt);
    conditions.push(`c.updated_at <= ${at} AND (c.updated_at < ${at} OR c.id > ${bind(after.id)})`);
  }
  const { rows } = await pool().query<SummaryRecord>(
    `SELECT ${SUMMARY_COLUMNS}
     FROM (SELECT * FROM conversations c WHERE ${conditions.join(" AND ")}
           ORDER BY c.updated_at DESC, c.id LIMIT ${bind(input.limit + 1)}) c ${SUMMARY_JOINS}
     ORDER BY c.updated_at DESC, c.id`,
    values,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  const more = rows.length > input.limit && last;
  return { items: page.map(toSummary), nextCursor: more ? `${last.updated_at.getTime()}.${last.id}` : null };
}

function parseCursor(cursor: string): { updatedAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of conversations no longer exists. Open the list again.");
  return { updatedAt: new Date(Number(time)), id };
}
