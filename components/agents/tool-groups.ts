import type { ToolChoice } from "@/server/agents/schema";

export type ToolGroup = { source: string; tools: ToolChoice[] };

const BUILT_IN = "built-in";

/** The tools by where they come from, Troupe's own first. Chosen ones that no longer exist come last, so that they can be taken out. */
export function groupTools(choices: readonly ToolChoice[], chosen: readonly string[]): ToolGroup[] {
  const groups = new Map<string, ToolChoice[]>([["Built-in", []]]);
  for (const choice of choices) {
    const source = choice.source === BUILT_IN ? "Built-in" : choice.source;
    groups.set(source, [...(groups.get(source) ?? []), choice]);
  }
  const known = new Set(choices.map(({ name }) => name));
  const gone = chosen.filter((name) => !known.has(name));
  if (gone.length > 0) groups.set("No longer available", gone.map(toGone));
  return [...groups].filter(([, tools]) => tools.length > 0).map(([source, tools]) => ({ source, tools }));
}

export function matchesTool({ name, title, description }: ToolChoice, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [name, title, description].some((text) => text.toLowerCase().includes(wanted));
}

function toGone(name: string): ToolChoice {
  return {
    name,
    source: "",
    title: name,
    description: "",
    writes: false,
    policy: null,
    problem: `There is no tool “${name}” any more. Switch it off, or attach the server that offered it.`,
  };
}
