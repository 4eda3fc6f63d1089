import type { RunState } from "@/components/runs/run-state";
import { statusWord } from "@/components/ui/status-words";

const TOLD = new Set(["waiting", "completed", "failed", "aborted", "suspended", "interrupted"]);

/** What a listener should hear about a change: states and questions, never tokens. */
export function announcementsBetween(before: RunState, after: RunState): string[] {
  const told: string[] = [];
  const knownRequests = new Set(before.requests.map((request) => request.id));
  for (const request of after.requests) {
    if (!knownRequests.has(request.id) && request.status === "open") {
      told.push(`${request.agentName} asks: ${request.prompt}`);
    }
  }
  const statusBefore = new Map(before.agents.map((agent) => [agent.id, agent.status]));
  for (const agent of after.agents) {
    const was = statusBefore.get(agent.id);
    if (agent.parentId !== null && was !== agent.status && TOLD.has(agent.status)) {
      told.push(`${agent.name}: ${statusWord(agent.status, agent.statusReason)}`);
    }
  }
  if (before.run.status !== after.run.status) {
    told.push(`Run: ${statusWord(after.run.status, after.run.statusReason)}`);
  }
  return told;
}
