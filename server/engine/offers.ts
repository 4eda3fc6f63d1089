import type { ToolSpec } from "@/server/models/model";
import type { Opened } from "./journal/opened";

/** An option as a model saw it, kept with its words. Shape of server/runs/schema.ts offeredOption. */
export type Offer = { key: string; kind: "agent" | "tool" | "action"; label: string; description: string };

/** What a model may choose from at every turn: its agents, its tools, and to answer. */
export function offersOf(spawnable: Opened["spawnable"], tools: readonly ToolSpec[], maySpawn: boolean): Offer[] {
  return [
    ...(maySpawn
      ? spawnable.map((agent) => ({
          key: `agent:${agent.name}`,
          kind: "agent" as const,
          label: agent.name,
          description: agent.purpose,
        }))
      : []),
    ...tools.map((tool) => ({
      key: tool.name,
      kind: "tool" as const,
      label: tool.name,
      description: tool.description,
    })),
    { key: "answer", kind: "action", label: "Answer", description: "End with this text as the result." },
  ];
}
