import { prepareOf, startPreparing } from "@/server/retrieval/prepare-vectors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { COMPARABLE_DECISIONS } from "./decision-vectors";

/** Makes the vectors of decisions in the background until it is closed, so that precedents are found (INT-CTX-09). */
export function startPreparingPrecedents(): { close(): Promise<void> } {
  return startPreparing(COMPARABLE_DECISIONS);
}

/** Makes the vectors that are missing since an instant, the newest first. Throws when it is closed. */
export function prepareWorkspace(workspaceId: WorkspaceId, since: Date, signal: AbortSignal): Promise<boolean> {
  return prepareOf(COMPARABLE_DECISIONS, workspaceId, since, signal);
}
