import { agentsBelow } from "@/components/runs/agents-below";
import type { RunState } from "@/components/runs/run-state";
import type { AgentRow } from "@/server/engine/events";
import { isHeld } from "@/server/engine/state";

type Rows = Pick<RunState, "agents" | "steps" | "decisions" | "requests">;

/**
 * Says of an agent run since when it stands still, in epoch ms; null for one that moves or has ended. Rows do not keep that
 * instant: a pause is a decision, and of what was held otherwise the newest thing that happened is as near as one gets.
 */
export function stillnessOf(rows: Rows): (agent: AgentRow) => number | null {
  let ofRun: number | undefined;
  return (agent) => {
    if (!isHeld(agent.status)) return null;
    // An interrupted child stays what it is while the run around it goes on.
    if (agent.status === "interrupted") return newestOf(rows, [agent, ...agentsBelow(rows.agents, agent.id)]);
    ofRun ??= (agent.status === "paused" ? pausedMs(rows) : null) ?? newestOf(rows, rows.agents);
    return ofRun;
  };
}

function pausedMs({ decisions }: Rows): number | null {
  const pauses = decisions.filter((decision) => decision.kind === "pause");
  return pauses.length === 0 ? null : newest(pauses.map((decision) => decision.at));
}

function newestOf({ steps, decisions, requests }: Rows, agents: readonly AgentRow[]): number {
  const ids = new Set(agents.map((agent) => agent.id));
  const among = (row: { agentRunId: string }) => ids.has(row.agentRunId);
  return newest([
    ...agents.flatMap((agent) => [agent.createdAt, agent.startedAt, agent.finishedAt]),
    ...agents.flatMap((agent) => agent.openSteps.map((step) => step.startedAt)),
    ...steps.filter(among).map((step) => step.finishedAt),
    ...decisions.filter(among).map((decision) => decision.at),
    ...requests.filter(among).map((request) => request.createdAt),
  ]);
}

function newest(instants: readonly (string | null)[]): number {
  return instants.reduce((latest, instant) => Math.max(latest, instant === null ? 0 : Date.parse(instant)), 0);
}
