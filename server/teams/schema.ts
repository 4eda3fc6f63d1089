import { z } from "zod";
import { agentName, draftProblem } from "@/server/agents/schema";
import { DEFAULT_PATTERN_SETTINGS, patternSettings } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS, runLimits } from "@/server/engine/run-limits";

const id = z.uuid();
const instant = z.iso.datetime();

export const teamSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  version: z.int(),
  /** The tree in words, root first. */
  agents: z.array(z.object({ name: z.string(), purpose: z.string(), depth: z.int() })),
  /** A first request to try. */
  example: z.string().nullable(),
});
export type TeamSummary = z.infer<typeof teamSummary>;

/**
 * How the agents of a team work together. The supervisor's model is told to coordinate (split the task and combine results), route (hand it
 * whole to the one that fits), broadcast (give all the same and compare) or tasks (plan in the queue, and start nobody by hand). The engine itself leads a pipeline (one after the other), a debate
 * (all answer, see what the others said, and answer again), a handoff (one at a time, until one answers), and a broadcast whose settings say what becomes of the results.
 */
export const TEAM_PATTERNS = ["coordinate", "route", "broadcast", "pipeline", "debate", "handoff", "tasks"] as const;
export type TeamPattern = (typeof TEAM_PATTERNS)[number];

/** A place in the team's tree, and the places below it in order. */
export type TeamPlace = { agentId: string; purpose: string | null; children: TeamPlace[] };
export const teamPlace: z.ZodType<TeamPlace, TeamPlace> = z.strictObject({
  agentId: id.toLowerCase(),
  /** What its supervisor is told about it in this team; null: the agent's own purpose. */
  purpose: z.string().trim().max(500, "At most 500 characters.").nullable(),
  get children() {
    return z.array(teamPlace).max(50);
  },
});

/** Far above any limit of an agent: what is deeper is no team but an attempt. */
const MOST_LEVELS = 20;
const MOST_ALLOWED = 50;
const levelsOf = (place: TeamPlace | null): number => (place ? 1 + Math.max(0, ...place.children.map(levelsOf)) : 0);

export const teamDraft = z.strictObject({
  description: z.string().trim().max(500, "At most 500 characters."),
  pattern: z.enum(TEAM_PATTERNS),
  patternSettings: patternSettings.default(DEFAULT_PATTERN_SETTINGS),
  /** A first request to try, offered where the team is started. */
  example: z.string().trim().max(2000, "At most 2,000 characters."),
  /** Of one run of the team. */
  limits: runLimits.default(DEFAULT_RUN_LIMITS),
  /** The supervisor and whoever is below it; null while no supervisor was chosen. */
  root: teamPlace
    .nullable()
    .refine((root) => levelsOf(root) <= MOST_LEVELS, `A team's tree has at most ${MOST_LEVELS} levels.`),
  /** Agents that each supervisor may start beside those below it, in this order (LOK-SUP-17, limited to a list). They lead nobody. */
  alsoAllowed: z
    .array(id.toLowerCase())
    .max(MOST_ALLOWED, `At most ${MOST_ALLOWED} agents.`)
    .refine((ids) => new Set(ids).size === ids.length, "Each agent once.")
    .default([]),
});
export type TeamDraft = z.infer<typeof teamDraft>;

/** For the list of teams: published or not. */
export const teamListItem = z.object({
  id,
  name: z.string(),
  description: z.string(),
  version: z.int().nullable(),
  hasUnpublishedChanges: z.boolean(),
  agents: z.array(z.string()),
  /** Agents with a newer version than the one the team's newest version holds. */
  behind: z.int(),
  runs: z.int(),
  lastRunAt: instant.nullable(),
  updatedAt: instant,
});
export type TeamListItem = z.infer<typeof teamListItem>;
export const listTeamsInput = z.strictObject({
  /** Words in its name or description. */
  search: z.string().trim().max(200).default(""),
  /** The last team of the page before. */
  cursor: id.nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListTeamsInput = z.infer<typeof listTeamsInput>;
export const teamPage = z.object({ items: z.array(teamListItem), nextCursor: id.nullable() });
/** A team to go to. */
export const teamName = z.object({ id, name: z.string() });
export type TeamName = z.infer<typeof teamName>;

export const teamDetail = z.object({
  id,
  name: z.string(),
  draft: teamDraft,
  draftRevision: z.int(),
  draftSavedBy: z.string().nullable(),
  updatedAt: instant,
  problems: z.array(draftProblem),
  versions: z.array(
    z.object({
      id,
      number: z.int(),
      note: z.string(),
      publishedAt: instant,
      publishedBy: z.string().nullable(),
    }),
  ),
  /** The newest published team in the shape of a draft, to mark what differs. */
  published: teamDraft.nullable(),
  /** Agents in the draft or the newest version, also deleted ones, to draw names from. */
  agents: z.array(
    z.object({
      id,
      name: z.string(),
      purpose: z.string(),
      version: z.int().nullable(),
      /** The version the newest team version holds; null when it holds none. */
      heldVersion: z.int().nullable(),
      isDeleted: z.boolean(),
      canSpawnAgents: z.boolean(),
    }),
  ),
});
export type TeamDetail = z.infer<typeof teamDetail>;

/** A published version, whole, with the agent versions it holds. */
export const teamVersionDetail = z.object({
  number: z.int(),
  draft: teamDraft,
  agents: z.array(z.object({ id, name: z.string(), version: z.int() })),
  note: z.string(),
  publishedAt: instant,
  publishedBy: z.string().nullable(),
});
export type TeamVersionDetail = z.infer<typeof teamVersionDetail>;

export const teamRef = z.object({ teamId: id });
export const teamPublished = z.object({ number: z.int() });
export const teamIdInput = z.strictObject({ teamId: id });
export const createTeamInput = z.strictObject({ name: agentName, draft: teamDraft });
export const saveTeamDraftInput = z.strictObject({
  teamId: id,
  draftRevision: z.int(),
  name: agentName,
  draft: teamDraft,
});
export const publishTeamInput = z.strictObject({
  teamId: id,
  draftRevision: z.int(),
  note: z.string().trim().max(200).default(""),
});
/** Copies a version into the draft; what the draft held before is gone. */
export const restoreTeamVersionInput = z.strictObject({ teamId: id, number: z.int().min(1), draftRevision: z.int() });
export const teamVersionInput = z.strictObject({ teamId: id, number: z.int().min(1) });

/**
 * Exactly what each supervisor of a draft will be told: computed from what is in the form, saved or not.
 * teams.preview is called as a mutation, which changes nothing: a whole tree does not fit the address of a GET.
 */
export const previewTeamInput = z.strictObject({ name: agentName, draft: teamDraft });
export const teamPreview = z.object({
  problems: z.array(draftProblem),
  supervisors: z.array(
    z.object({
      /** Path of the place, e.g. "" for the root, "0.1" for the second child of its first child. */
      path: z.string(),
      name: z.string(),
      /** What the engine does in its place, where no model leads; else null. */
      instead: z.string().nullable(),
      /** The system message, whole; empty where no model leads. */
      system: z.string(),
      /** Every tool as the model is sent it. */
      tools: z.array(z.object({ name: z.string(), description: z.string() })),
      /** Characters of system message and tools together. */
      characters: z.int(),
    }),
  ),
});
export type TeamPreview = z.infer<typeof teamPreview>;
