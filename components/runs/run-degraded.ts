import { textKey } from "@/components/runs/run-live-text";
import type { DecisionRow } from "@/server/engine/events";

/** Keys of steps that something else answered in place of what was asked, with the reason (AGT-RES-09). */
export function degradedSteps(decisions: readonly DecisionRow[]): Map<string, string> {
  const degraded = new Map<string, string>();
  const inOrder = [...decisions].sort((a, b) => a.position - b.position || a.ordinal - b.ordinal);
  for (const { kind, agentRunId, position, chosen, reason } of inOrder) {
    // A retry of a model that stands in asks the same model.
    const before = kind === "retry" ? degraded.get(textKey(agentRunId, position)) : undefined;
    const words = kind === "fallback" ? (reason ?? "Something else stood in.") : before;
    if (words === undefined) continue;
    for (const { position: at } of chosen) if (at !== null) degraded.set(textKey(agentRunId, at), words);
  }
  return degraded;
}
