import { readByIndex } from "@/server/read-by-index";
import { type Comparable, prepareOf, startPreparing } from "@/server/retrieval/prepare-vectors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { VECTOR_VERSION } from "../rules";
import { findUnprepared, storeVectors } from "./decision-vectors";

const DECISIONS: Comparable = {
  noun: "decisions",
  recentMs: 15 * 60_000,
  findWorkspaces: (since) => findUnpreparedWorkspaces(since),
  findUnprepared,
  storeVectors,
};

/** Makes the vectors of decisions in the background until it is closed, so that precedents are found (INT-CTX-09). */
export function startPreparingPrecedents(): { close(): Promise<void> } {
  return startPreparing(DECISIONS);
}

/** Makes the vectors that are missing since an instant, the newest first. Throws when it is closed. */
export function prepareWorkspace(workspaceId: WorkspaceId, since: Date, signal: AbortSignal): Promise<void> {
  return prepareOf(DECISIONS, workspaceId, since, signal);
}

async function findUnpreparedWorkspaces(since: Date): Promise<WorkspaceId[]> {
  const rows = await readByIndex<{ id: WorkspaceId }>(
    `SELECT w.id FROM workspaces w CROSS JOIN LATERAL (
       SELECT 1 FROM decisions d WHERE d.workspace_id = w.id AND d.at >= $1
         AND NOT EXISTS (SELECT 1 FROM decision_vectors v WHERE v.decision_id = d.id AND v.version >= $2) LIMIT 1) d`,
    [since, VECTOR_VERSION],
  );
  return rows.map(({ id }) => id);
}
