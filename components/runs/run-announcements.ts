import type { RunState } from "@/components/runs/run-state";
import { statusInFull } from "@/components/ui/status-words";
import type { RequestView } from "@/server/engine/events";
import { isHeld } from "@/server/engine/state";

const TOLD = new Set(["waiting", "completed", "failed", "aborted", "suspended", "interrupted"]);

/** What a listener should hear about a change: states and questions, never tokens. */
export function announcementsBetween(before: RunState, after: RunState): string[] {
  const told: string[] = [];
  const isOpen = (request: RequestView) => request.status === "open";
  // One that was asked of the agents above is told when it comes to people.
  const openBefore = new Set(before.requests.filter(isOpen).map((request) => request.id));
  for (const request of after.requests.filter(isOpen)) {
    if (!openBefore.has(request.id)) {
      told.push(`${request.agentName} asks: ${request.prompt}`);
    }
  }
  const statusBefore = new Map(before.agents.map((agent) => [agent.id, agent.status]));
  for (const agent of after.agents) {
    const was = statusBefore.get(agent.id);
    // A run that is held holds all its agents: that is told once.
    const heldWithRun = isHeld(agent.status) && agent.status === after.run.status;
    if (agent.parentId !== null && was !== agent.status && TOLD.has(agent.status) && !heldWithRun) {
      told.push(`${agent.name}: ${statusInFull(agent.status, agent.statusReason)}`);
    }
  }
  if (before.run.status !== after.run.status) {
    told.push(`Run: ${statusInFull(after.run.status, after.run.statusReason)}`);
  }
  return told;
}
