import { type AgentConfig, agentConfig, type DraftProblem } from "./schema";

/** What of the workspace an agent's configuration is judged against. */
export type AgentSurroundings = {
  /** Tools by name: null when usable, else a sentence that says why not. */
  tools: ReadonlyMap<string, string | null>;
  /** "provider/model" of everything that can be named, with its kind. */
  models: ReadonlyMap<string, "chat" | "embedding">;
  /** Knowledge bases that exist. */
  bases: ReadonlySet<string>;
  /** Names of teams where a supervisor is told the agent's own purpose. */
  supervisedIn: readonly string[];
};

/** What stands in the way of publishing, each beside its field. Saving a draft is always allowed. */
export function agentProblems(config: AgentConfig, around: AgentSurroundings): DraftProblem[] {
  return [
    ...purposeProblems(config, around),
    ...(config.instructions.trim() ? [] : [{ field: "instructions", message: "Write its instructions." }]),
    ...modelProblems(config, around),
    ...toolProblems(config, around),
    ...knowledgeProblems(config, around),
  ];
}

function purposeProblems({ purpose }: AgentConfig, { supervisedIn }: AgentSurroundings): DraftProblem[] {
  if (purpose.trim() || !supervisedIn.length) return [];
  const message = `Write its purpose: the supervisor in ${listed(supervisedIn.map(quoted))} chooses by it.`;
  return [{ field: "purpose", message }];
}

function modelProblems(config: AgentConfig, { models }: AgentSurroundings): DraftProblem[] {
  return modelsNamed(config).flatMap(({ field, ref }) => {
    if (models.get(ref) === "chat") return [];
    const message = models.has(ref)
      ? `${quoted(ref)} is an embedding model and cannot answer. Choose a chat model.`
      : `There is no model ${quoted(ref)} here. Choose another, or add it at its provider.`;
    return [{ field, message }];
  });
}

/**
 * The models a configuration names and would have called, "provider/model" with the field that names it: its own, and those that
 * condense. One that belongs to something that is switched off is never called. server/providers/queries.ts asks the same in SQL.
 */
export function modelsNamed(config: AgentConfig): { field: string; ref: string }[] {
  const { canSpawnAgents, summarizationThreshold, compaction } = config;
  const named = [
    { field: "model", ref: config.model },
    { field: "fallbackModel", ref: config.fallbackModel },
    {
      field: "summarizationModel",
      ref: canSpawnAgents && summarizationThreshold !== null ? config.summarizationModel : null,
    },
    { field: "compaction.model", ref: compaction.enabled ? compaction.model : null },
  ];
  return named.flatMap(({ field, ref }) => (ref === null ? [] : [{ field, ref }]));
}

function toolProblems({ tools, askBefore, toolResilience }: AgentConfig, around: AgentSurroundings): DraftProblem[] {
  const problems = tools.flatMap((tool) => {
    const problem = around.tools.get(tool);
    if (problem === undefined) return [`There is no tool ${quoted(tool)}. Take it out.`];
    return problem === null ? [] : [`${quoted(tool)} cannot be used: ${problem}`];
  });
  const unasked = askBefore.filter((tool) => !tools.includes(tool));
  const standIn = toolResilience.fallback?.use ?? null;
  return [
    ...(standIn === null || tools.includes(standIn)
      ? []
      : [{ field: "toolResilience", message: `${quoted(standIn)} stands in but is not among its tools.` }]),
    ...problems.map((message) => ({ field: "tools", message })),
    ...unasked.map((tool) => ({
      field: "askBefore",
      message: `${quoted(tool)} is to ask first but is not among its tools.`,
    })),
  ];
}

function knowledgeProblems({ knowledge }: AgentConfig, { bases }: AgentSurroundings): DraftProblem[] {
  const gone = knowledge.filter((base) => !bases.has(base)).length;
  if (!gone) return [];
  const message =
    gone === 1
      ? "A knowledge base it searches was deleted. Take it out."
      : `${gone} knowledge bases it searches were deleted. Take them out.`;
  return [{ field: "knowledge", message }];
}

/** Whether two configurations say the same, whatever the order in which they were stored. */
export function isSameConfig(one: unknown, other: unknown): boolean {
  return JSON.stringify(agentConfig.parse(one)) === JSON.stringify(agentConfig.parse(other));
}

/** All problems as the one sentence a refusal carries. */
export function problemSentence(what: string, problems: readonly DraftProblem[]): string {
  const each = [...new Set(problems.map(({ message }) => message))];
  return `${what} cannot be published yet. ${each.join(" ")}`;
}

type EarlierSave = { by: string | null; isOwn: boolean; at: Date };

/**
 * What somebody is told whose draft is older than the stored one. Times are UTC, with the day unless it is today.
 * `effect` says what becomes of their work.
 */
export function savedMeanwhile(
  what: "agent" | "team" | "entry",
  { by, isOwn, at }: EarlierSave,
  effect: string,
  now = new Date(),
): string {
  const [day = "", time = ""] = at.toISOString().split("T");
  const when = `${day === now.toISOString().slice(0, 10) ? "" : `on ${day} `}at ${time.slice(0, 5)} UTC`;
  const who = isOwn ? `You saved this ${what} in another window` : `${by ?? "Somebody"} saved this ${what}`;
  return `${who} ${when}. ${effect}`;
}

export const TEXT_IS_KEPT = "Reload to see it; your text is still in the form.";
export const LOOK_FIRST = "Reload to see it first.";

const MOST_NAME_CHARACTERS = 60;

/** "Name copy", or "Name copy 2" and so on while those are taken, within the length of a name. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? " copy" : ` copy ${number}`;
    const candidate = `${name.slice(0, MOST_NAME_CHARACTERS - ending.length).trimEnd()}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function quoted(text: string): string {
  return `“${text}”`;
}
