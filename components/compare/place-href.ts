import { textKey } from "@/components/runs/run-live-text";
import { writeRunLocation } from "@/components/runs/run-location";
import { agentKey, decisionKey } from "@/components/runs/run-nodes";
import type { ComparedPlace } from "@/server/runs/compare/schema";

/** The run's page, with the row picked that stands for a place; without one its agent run. */
export function placeHref(runId: string, agentRunId: string, place: ComparedPlace | null): string {
  return `/runs/${runId}${writeRunLocation("", { selected: rowOf(agentRunId, place) })}`;
}

function rowOf(agentRunId: string, place: ComparedPlace | null): string {
  if (place === null) return agentKey(agentRunId);
  return place.type === "decision" ? decisionKey(place.id) : textKey(agentRunId, place.position);
}
