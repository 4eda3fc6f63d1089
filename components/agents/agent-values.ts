import { type AgentConfig, type AgentDetail, agentConfig, agentName, type DraftProblem } from "@/server/agents/schema";

/** An agent as its form holds it. */
export type AgentValues = AgentConfig & { name: string };
export const agentValues = agentConfig.extend({ name: agentName });

/** Parts of the form, in order, and the settings each of them holds. */
export const AGENT_SECTIONS = [
  { id: "identity", title: "Identity", fields: ["purpose"] },
  { id: "model", title: "Model", fields: ["model", "fallbackModel", "temperature"] },
  { id: "instructions", title: "Instructions", fields: ["instructions"] },
  { id: "tools", title: "Tools", fields: ["tools", "askBefore"] },
  { id: "toolPolicy", title: "When tools fail", fields: ["toolResilience"] },
  { id: "knowledge", title: "Knowledge", fields: ["knowledge"] },
  {
    id: "team",
    title: "Team",
    fields: [
      "canSpawnAgents",
      "maxConcurrentAgents",
      "maxAgentDepth",
      "injectSpawnInstructions",
      "summarizationThreshold",
      "summarizationModel",
    ],
  },
  { id: "limits", title: "Limits", fields: ["maxToolRounds", "maxCostNanoUsd", "maxTokens", "maxOutputTokens"] },
  {
    id: "alone",
    title: "Working on its own",
    fields: [
      "autoContinue",
      "maxAutoContinues",
      "injectTodoInstructions",
      "continuationPrompt",
      "notesContext",
      "publishesEvents",
      "escalationTimeoutMs",
      "questionTimeoutMs",
      "approvalTimeoutMs",
      "maxRepeatedCalls",
    ],
  },
  { id: "conversation", title: "Long conversations", fields: ["compaction"] },
] as const satisfies readonly { id: string; title: string; fields: readonly (keyof AgentConfig)[] }[];
export type AgentSectionId = (typeof AGENT_SECTIONS)[number]["id"];

/** What every setting is until somebody changes it. */
export const USUAL: AgentConfig = agentConfig.parse({ purpose: "", instructions: "" });
const BLANK: AgentValues = { name: "", ...USUAL };

/** The form of a stored agent, or of a new one. */
export function toAgentValues(agent: Pick<AgentDetail, "name" | "draft"> | null): AgentValues {
  return agent ? { name: agent.name, ...agent.draft } : BLANK;
}

export function toAgentInput({ name, ...config }: AgentValues): { name: string; config: AgentConfig } {
  return { name, config };
}

/** Sections whose settings differ from the published ones; none while nothing was published. */
export function changedSections(values: AgentConfig, published: AgentConfig | null): Set<AgentSectionId> {
  if (!published) return new Set();
  return new Set(
    AGENT_SECTIONS.filter(({ fields }) => fields.some((field) => !isSame(values[field], published[field]))).map(
      ({ id }) => id,
    ),
  );
}

/** Which section a problem's field is in, e.g. "tools.2". */
export function sectionOfField(field: string): AgentSectionId | null {
  const [first] = field.split(".");
  if (first === "name") return "identity";
  return AGENT_SECTIONS.find(({ fields }) => fields.some((each) => each === first))?.id ?? null;
}

/** Problems of the saved draft that still hold: one whose field was changed since is not known to. */
export function standingProblems(problems: readonly DraftProblem[], values: AgentValues, saved: AgentValues) {
  return problems.filter(({ field }) => {
    const key = field.split(".")[0] as keyof AgentValues;
    return !(key in saved) || isSame(values[key], saved[key]);
  });
}

/** The order of a choice of tools or bases means nothing. */
function isSame(one: unknown, other: unknown): boolean {
  const print = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return print(one) === print(other);
}
