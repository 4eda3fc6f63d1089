import type { WorkspaceId } from "@/server/workspaces/scope";
import { explainDecision } from "../rules/explain-decision";
import { DEFAULT_SIMILARITY, type DecisionExplanation } from "../schema";
import { findPrecedents } from "./find-precedents";
import { getDecision } from "./get-decision";

/** One decision in plain words, put together from the record (INT-CTX-08). Throws NOT_FOUND. */
export async function explain(workspaceId: WorkspaceId, decisionId: string): Promise<DecisionExplanation> {
  const [record, precedents] = await Promise.all([
    getDecision(workspaceId, decisionId),
    findPrecedents(workspaceId, { decisionId, threshold: DEFAULT_SIMILARITY }),
  ]);
  return { sentences: explainDecision(record, precedents), isWaiting: precedents.state === "waiting" };
}
