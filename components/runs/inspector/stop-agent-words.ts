import { agentsBelow } from "@/components/runs/agents-below";
import type { AgentRow } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";

/** What happens when one agent of a run is stopped: to it, to what is below it, and to whoever started it. */
export function stopAgentWords(agents: readonly AgentRow[], agent: AgentRow): string {
  const below = agentsBelow(agents, agent.id).filter(({ status }) => !isTerminal(status)).length;
  const parent = agents.find(({ id }) => id === agent.parentId)?.name ?? "The agent that started it";
  const also = below === 0 ? "" : `, and so ${below === 1 ? "does the agent" : `do the ${below} agents`} below it`;
  return `It ends now${also}. Every step, decision and cost so far is kept. ${parent} is told so and decides what to do. The run goes on.`;
}
