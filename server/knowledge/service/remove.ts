import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { removeBaseDocuments, removeBaseRow, removeDocumentRows } from "@/server/retrieval/remove-documents";
import { askToMeasure } from "@/server/usage/service/ask-to-measure";
import type { Scope } from "@/server/workspaces/scope";
import { getBase, getBaseStanding } from "../queries/get-base";
import { canChangeDocuments } from "../rules";
import type { BaseSummary } from "../schema";

const NOT_ALLOWED = "You cannot change this here. Ask an owner for the editor role.";

/**
 * Deletes a base with its documents, files and index. Citations keep their quotes. Returns the agents that name it: they refuse to
 * start until they name another. Throws NOT_FOUND, also for the hidden base of a conversation.
 */
export async function removeBase({
  scope: { workspaceId },
  baseId,
}: {
  scope: Scope;
  baseId: string;
}): Promise<Pick<BaseSummary, "name" | "agents">> {
  const { name, agents } = await getBase(workspaceId, baseId);
  await removeBaseDocuments(workspaceId, baseId);
  await removeBaseRow(workspaceId, baseId);
  await pool().query("SELECT tell_changed($1, 'documents', $2)", [workspaceId, baseId]);
  await askToMeasure(workspaceId);
  return { name, agents };
}

/**
 * Deletes documents of a base with their files and index; those that are gone already are not counted. They are found no longer from
 * the first moment. Throws NOT_FOUND for the base, NOT_ALLOWED.
 */
export async function removeDocuments({
  scope,
  baseId,
  documentIds,
}: {
  scope: Scope;
  baseId: string;
  documentIds: readonly string[];
}): Promise<{ removed: number }> {
  const { workspaceId, role } = scope;
  const base = await getBaseStanding(workspaceId, baseId);
  if (!canChangeDocuments(role, base)) throw new AppError("NOT_ALLOWED", NOT_ALLOWED);
  const removed = await removeDocumentRows({ workspaceId, baseId, documentIds });
  await pool().query("SELECT tell_changed($1, 'documents', $2)", [workspaceId, baseId]);
  await askToMeasure(workspaceId);
  return { removed };
}
