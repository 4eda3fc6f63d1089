import type { DecisionKind } from "@/server/engine/events";
import type { Offer } from "@/server/engine/offers";
import { outsideDecision } from "@/server/engine/outside-decision";
import type { Reader } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";

export const STOP_OFFERS: Offer[] = [
  { key: "stop", kind: "action", label: "Stop", description: "End it now. What was done stays." },
  { key: "let_run", kind: "action", label: "Let it run", description: "Do nothing." },
];

/** What a person chose about a run, as decide_outside() and end_run() take it. */
export function byPerson(
  scope: Scope,
  of: { runId: string; agentRunId: string; kind: DecisionKind; chosen: string; reason: string },
  offers: readonly Offer[],
): string {
  return outsideDecision({ ...of, workspaceId: scope.workspaceId, source: "human", offers });
}

/** Records it; the caller holds the run. */
export async function decideOutside(client: Reader, decision: string): Promise<void> {
  await client.query("select decide_outside($1)", [decision]);
}
