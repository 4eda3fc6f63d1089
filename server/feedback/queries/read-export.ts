import { pool } from "@/server/db";
import { toInstant, toInstantOrNull } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { FeedbackFilters } from "../schema";
import { filterFeedback } from "./filter-feedback";

/** With the whole input and answer of their runs: small enough to be held at once. */
const ENTRIES_A_READ = 100;

/** An entry as it leaves the installation: one line of the file. `type` and `sessionId` are the names of INT-LEARN-01. */
export type ExportedFeedback = {
  id: string;
  type: string;
  content: string;
  timestamp: string;
  editedAt: string | null;
  metadata: Record<string, string>;
  /** The conversation it was given in; null for a run by itself. */
  sessionId: string | null;
  /** As they are named on screen. */
  by: string;
  runId: string;
  input: string;
  answer: string | null;
  model: string;
  agentId: string;
  agentName: string;
  agentVersion: number;
  teamId: string | null;
};

/** Ids of the newest entries of a filter, the newest first, and how many there are in all. */
export async function findExported(
  workspaceId: WorkspaceId,
  filters: FeedbackFilters,
  most: number,
): Promise<{ ids: string[]; total: number }> {
  const { from, where, values, bind } = filterFeedback(workspaceId, filters);
  const { rows } = await pool().query<{ id: string; total: number }>(
    `SELECT f.id, (count(*) OVER ())::int AS total FROM ${from} WHERE ${where} ORDER BY f.at DESC, f.id LIMIT ${bind(most)}`,
    values,
  );
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

type Row = Omit<ExportedFeedback, "timestamp" | "editedAt"> & { at: Date; editedAt: Date | null };

/** These entries in their order, a few at a time. One that is removed meanwhile is left out. */
export async function* readExported(
  workspaceId: WorkspaceId,
  ids: readonly string[],
): AsyncGenerator<ExportedFeedback[]> {
  for (let first = 0; first < ids.length; first += ENTRIES_A_READ) {
    const { rows } = await pool().query<Row>(
      `SELECT f.id, upper(f.type) AS type, f.content, f.at, f.edited_at AS "editedAt", f.metadata, f.conversation_id AS "sessionId",
         coalesce(u.name, 'Somebody who left') AS by, f.run_id AS "runId", r.input, r.answer, r.model,
         f.agent_id AS "agentId", f.agent_name AS "agentName", f.agent_version AS "agentVersion", f.team_id AS "teamId"
       FROM unnest($2::uuid[]) WITH ORDINALITY AS x (id, place) JOIN feedback f ON f.workspace_id = $1 AND f.id = x.id
       JOIN runs r ON r.workspace_id = f.workspace_id AND r.id = f.run_id
       LEFT JOIN users u ON u.id = f.user_id ORDER BY x.place`,
      [workspaceId, ids.slice(first, first + ENTRIES_A_READ)],
    );
    yield rows.map(({ id, type, content, at, editedAt, ...row }) => ({
      ...{ id, type, content, timestamp: toInstant(at), editedAt: toInstantOrNull(editedAt) },
      ...row,
    }));
  }
}
