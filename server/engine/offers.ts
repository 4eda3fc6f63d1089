import type { ToolSpec } from "@/server/models/model";
import type { Briefed } from "./briefing";
import { maySpawn, plansInTasks } from "./may-spawn";

/** An option as a model saw it, kept with its words. Shape of server/runs/schema.ts offeredOption. */
export type Offer = { key: string; kind: "agent" | "tool" | "action"; label: string; description: string };

/** What a model may choose from at every turn: its agents, its tools, and to answer. */
export function offersOf(briefed: Briefed, tools: readonly ToolSpec[]): Offer[] {
  const startable = maySpawn(briefed) && !plansInTasks(briefed) ? briefed.spawnable : [];
  return [
    ...offersOfAgents([...startable, ...briefed.colleagues]),
    ...tools.map((tool) => ({
      key: tool.name,
      kind: "tool" as const,
      label: tool.name,
      description: tool.description,
    })),
    { key: "answer", kind: "action", label: "Answer", description: "End with this text as the result." },
  ];
}

/** Agents in the words in which a model is offered them. An agent that may be started and handed over to is one. */
export function offersOfAgents(agents: readonly { name: string; purpose: string }[]): Offer[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  return [...byName.values()].map(({ name, purpose }) => ({
    ...{ key: `agent:${name}`, kind: "agent", label: name, description: purpose },
  }));
}
