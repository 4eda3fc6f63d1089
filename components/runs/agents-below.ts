import type { AgentRow } from "@/server/engine/events";

/** The agent runs under one, however deep. */
export function agentsBelow<T extends Pick<AgentRow, "id" | "parentId">>(agents: readonly T[], id: string): T[] {
  const children = agents.filter((agent) => agent.parentId === id);
  return children.flatMap((child) => [child, ...agentsBelow(agents, child.id)]);
}
