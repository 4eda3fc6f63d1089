import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ConversationChoices } from "../schema";

/** A list to choose from; an older one is found by its title. */
const MOST_OFFERED = 50;

/** What a list can be narrowed to: the conversations whose title has these words, the one asked last first, before them the one that is chosen. */
export async function listConversationChoices(
  workspaceId: WorkspaceId,
  { search, chosen }: { search: string; chosen: string | null },
): Promise<ConversationChoices> {
  const { rows } = await pool().query<ConversationChoices["items"][number]>(
    `SELECT c.id, c.title FROM conversations c
     WHERE c.workspace_id = $1 AND (c.id = $2 OR c.title ILIKE $3)
     ORDER BY coalesce(c.id = $2, false) DESC, c.updated_at DESC, c.id LIMIT $4`,
    [workspaceId, chosen, `%${search.replace(/[\\%_]/g, "\\$&")}%`, MOST_OFFERED + 1],
  );
  return { items: rows.slice(0, MOST_OFFERED), more: rows.length > MOST_OFFERED };
}
