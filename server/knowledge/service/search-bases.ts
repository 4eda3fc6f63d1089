import { searchBases } from "@/server/retrieval/search";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { SearchBasesInput, SearchResult } from "../schema";

/** What an agent would be sent for this query, and what it would not be sent and why. Throws NOT_FOUND for a base. */
export function trySearch(
  workspaceId: WorkspaceId,
  input: SearchBasesInput,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  return searchBases({ workspaceId, ...input, signal: signal ?? AbortSignal.timeout(SEARCHES_WITHIN_MS) });
}
const SEARCHES_WITHIN_MS = 60_000;
