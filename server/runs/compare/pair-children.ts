import type { AgentRow } from "@/server/engine/events";

export type AgentRunPair = { left: AgentRow | null; right: AgentRow | null };
type Side = keyof AgentRunPair;

/**
 * Agent runs below one place of each run, with their counterparts: first those that matching decisions started for the same task, then
 * those that such decisions started, then those with the same task, then by name; equals in their order of start. The rest
 * has no counterpart.
 * @param leftDecisionOf the left run's counterpart of a decision of the right one
 */
export function pairChildren(
  left: readonly AgentRow[],
  right: readonly AgentRow[],
  leftDecisionOf: (rightDecisionId: string) => string | null,
): AgentRunPair[] {
  const starterOf = ({ spawnedById }: AgentRow, side: Side) => {
    if (spawnedById === null || side === "left") return spawnedById;
    return leftDecisionOf(spawnedById) ?? `${spawnedById} without a counterpart`;
  };
  const keys: ((agent: AgentRow, side: Side) => string)[] = [
    (agent, side) => JSON.stringify([starterOf(agent, side), agent.name, agent.task]),
    (agent, side) => JSON.stringify([starterOf(agent, side), agent.name]),
    ({ name, task }) => JSON.stringify([name, task]),
    ({ name }) => name,
  ];
  const counterparts = new Map<AgentRow, AgentRow>();
  let [restLeft, restRight] = [byStart(left), byStart(right)];
  for (const keyOf of keys) {
    const free = new Map<string, AgentRow[]>();
    for (const agent of restRight) {
      const key = keyOf(agent, "right");
      free.set(key, [...(free.get(key) ?? []), agent]);
    }
    for (const agent of restLeft) {
      const counterpart = free.get(keyOf(agent, "left"))?.shift();
      if (counterpart) counterparts.set(agent, counterpart);
    }
    const taken = new Set(counterparts.values());
    restLeft = restLeft.filter((agent) => !counterparts.has(agent));
    restRight = restRight.filter((agent) => !taken.has(agent));
  }
  return [
    ...byStart(left).map((agent) => ({ left: agent, right: counterparts.get(agent) ?? null })),
    ...restRight.map((agent) => ({ left: null, right: agent })),
  ];
}

function byStart(agents: readonly AgentRow[]): AgentRow[] {
  return [...agents].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}
