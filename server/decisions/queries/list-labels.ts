import { pool } from "@/server/db";
import { toInstant, toInstantOrNull } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionLabel } from "../schema";

type Row = Omit<DecisionLabel, "at" | "endedAt"> & { decisionId: string; at: Date; endedAt: Date | null };

/** What was said of these decisions, by decision: the newest first, what stands and what stood before. */
export async function listLabels(
  workspaceId: WorkspaceId,
  decisionIds: readonly string[],
): Promise<Map<string, DecisionLabel[]>> {
  const { rows } = await pool().query<Row>(
    `SELECT l.decision_id AS "decisionId", l.id, l.user_id AS "userId", coalesce(u.name, l.author, 'Somebody who left') AS by, l.verdict, l.option,
       l.words, l.note, l.at, l.ended_at AS "endedAt"
     FROM decision_labels l LEFT JOIN users u ON u.id = l.user_id
     WHERE l.workspace_id = $1 AND l.decision_id = ANY($2::uuid[]) ORDER BY l.at DESC, l.id DESC`,
    [workspaceId, decisionIds],
  );
  const labels = new Map<string, DecisionLabel[]>();
  for (const { decisionId, at, endedAt, ...row } of rows) {
    const label = { ...row, at: toInstant(at), endedAt: toInstantOrNull(endedAt) };
    labels.set(decisionId, [...(labels.get(decisionId) ?? []), label]);
  }
  return labels;
}
