import { agentName } from "@/server/agents/schema";
import { type TeamDetail, type TeamDraft, teamDraft } from "@/server/teams/schema";

/** A team as its form holds it. */
export type TeamValues = TeamDraft & { name: string };
export const teamValues = teamDraft.extend({ name: agentName });

const BLANK: TeamValues = {
  name: "",
  ...teamDraft.parse({ description: "", pattern: "coordinate", example: "", root: null }),
};

export function toTeamValues(team: Pick<TeamDetail, "name" | "draft"> | null): TeamValues {
  return team ? { name: team.name, ...team.draft } : BLANK;
}

export function toTeamInput({ name, ...draft }: TeamValues): { name: string; draft: TeamDraft } {
  return { name, draft };
}

const PARTS = [
  ["description", "description"],
  ["pattern", "pattern"],
  ["patternSettings", "settings of the pattern"],
  ["example", "example"],
  ["limits", "limits"],
  ["root", "tree"],
  ["alsoAllowed", "agents its supervisors may also start"],
] as const satisfies readonly [keyof TeamDraft, string][];

/** What differs from the published version, in words; nothing while none was published. */
export function changedParts(values: TeamDraft, published: TeamDraft | null): string[] {
  if (!published) return [];
  return PARTS.filter(([field]) => JSON.stringify(values[field]) !== JSON.stringify(published[field])).map(
    ([, word]) => word,
  );
}

/** The place a problem is about: "root.children.0.children.1.purpose" is "0.1". Null when it is about the team as a whole. */
export function placeOfField(field: string): string | null {
  const [first, ...rest] = field.split(".");
  if (first !== "root") return null;
  return rest.filter((part) => /^\d+$/.test(part)).join(".");
}
