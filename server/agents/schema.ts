import { z } from "zod";
import { callPolicy } from "@/server/engine/resilience/policy";
import { spendLimits } from "@/server/engine/run-limits";
import { toolPolicy } from "@/server/tools/tool-policy";

const id = z.uuid();
const instant = z.iso.datetime();

const compactionConfig = z.strictObject({
  enabled: z.boolean().default(true),
  /** Share of the model's context at which older messages are condensed. */
  thresholdRatio: z.number("A number.").min(0.1, "At least 10 %.").max(0.95, "At most 95 %.").default(0.8),
  /** The newest messages are kept as they are. */
  preserveLastN: z.int("A whole number.").min(1, "At least 1.").max(100, "At most 100.").default(5),
  minMessages: z.int("A whole number.").min(2, "At least 2.").max(1_000, "At most 1,000.").default(10),
  /** "provider/model"; null: its own. */
  model: z.string().max(300).nullable().default(null),
  maxSummaryTokens: z.int("A whole number.").min(50, "At least 50.").max(20_000, "At most 20,000.").default(500),
  /** Holds the placeholder {messages}; null: the built-in words. */
  prompt: z
    .string()
    .trim()
    .max(4_000, "At most 4,000 characters.")
    .refine((text) => text.includes("{messages}"), "It must hold {messages}, where the conversation goes.")
    .nullable()
    .default(null),
});

/** At most what a timer takes. */
const answerTimeoutMs = z
  .int("A whole number.")
  .min(1_000, "At least 1 second, or empty for any time.")
  .max(14 * 86_400_000, "At most 14 days.")
  .nullable()
  .default(null);

/** What an agent version holds. Limits follow LOK-SUP-02/03 and DESIGN section 6 (25 tool rounds). */
export const agentConfig = z.strictObject({
  /** What a supervisor sees when it chooses among its agents. */
  purpose: z.string().max(500, "At most 500 characters."),
  instructions: z.string().max(20_000, "At most 20,000 characters."),
  /** "provider/model". Null: the model the run was started with, which is the workspace's unless the person chose another. */
  model: z.string().max(300).nullable().default(null),
  /** "provider/model" that answers while `model` cannot (AGT-RES-09); null: what the provider of the model names, if it does. */
  fallbackModel: z.string().max(300).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** Names from the tool list: built-in ones, and `server__tool` of tool servers. */
  tools: z.array(z.string().max(200)).max(500, "At most 500 tools.").default([]),
  /** Those of `tools` that wait for a person before each call. */
  askBefore: z.array(z.string().max(200)).max(500).default([]),
  /** How calls of its tools are guarded where the tool's own policy says nothing (AGT-RES-01). */
  toolResilience: callPolicy.default({}),
  /** Knowledge bases it may search with knowledge_search. */
  knowledge: z.array(id).max(20).default([]),
  /** May start agents placed under it in a team. */
  canSpawnAgents: z.boolean().default(false),
  maxConcurrentAgents: z.int().min(1).max(64).default(4),
  maxAgentDepth: z.int().min(1).max(8).default(3),
  maxToolRounds: z.int().min(1).max(1000).default(25),
  /** What one agent run of it may spend, with whatever works below it: a cap, nothing is set aside. */
  ...spendLimits.shape,
  /** Longest reply the model is asked for, in tokens; null: the provider's own limit, or 4,096 where a limit on spending holds. */
  maxOutputTokens: z.int().min(1).max(1_000_000).nullable().default(null),
  /** Adds guidance on the spawn tools to the instructions (LOK-SUP-22). */
  injectSpawnInstructions: z.boolean().default(true),
  /** A child's result of this many characters or more is condensed before this agent reads it (LOK-SUP-16); null: never. */
  summarizationThreshold: z
    .int("A whole number.")
    .min(500, "At least 500.")
    .max(1_000_000, "At most 1,000,000.")
    .nullable()
    .default(4_000),
  /** "provider/model" that condenses; null: its own. */
  summarizationModel: z.string().max(300).nullable().default(null),
  /** How long the agents above may take to answer its questions before a person is asked (LOK-ESC-12); 0: a person at once. */
  escalationTimeoutMs: z.int().min(0, "0 or more.").max(86_400_000, "At most 24 hours.").default(300_000),
  /** How long people may take to allow a call it must ask about, before it counts as refused; null: any time. */
  approvalTimeoutMs: answerTimeoutMs,
  /** How long people may take to answer its questions, before it goes on by its own judgement (LOK-ESC-12); null: any time. */
  questionTimeoutMs: answerTimeoutMs,
  /** Keeps a checklist, and is sent on while it has open items (LOK-TODO-02). */
  autoContinue: z.boolean().default(false),
  maxAutoContinues: z.int("A whole number.").min(1, "At least once.").max(100, "At most 100 times.").default(10),
  injectTodoInstructions: z.boolean().default(true),
  /** What it is told when it is sent on; null: the built-in words. */
  continuationPrompt: z
    .string()
    .trim()
    .min(1, "Say something, or leave it empty.")
    .max(4_000, "At most 4,000 characters.")
    .nullable()
    .default(null),
  /** Notes variables and entities, what its run is about, with tools of its own (INT-CTX-10, INT-CTX-11). */
  notesContext: z.boolean().default(false),
  /** Publishes events of its own, with a tool for it (AGT-EVT-07). */
  publishesEvents: z.boolean().default(false),
  /** What becomes of its conversation when the model's context fills (INT-CTX-03). */
  compaction: compactionConfig.prefault({}),
  /** The same call is refused after this many in a row (LOK-TOOL-09); null: 2 at the root, 4 below it. */
  maxRepeatedCalls: z.int("A whole number.").min(1, "At least 1.").max(100, "At most 100.").nullable().default(null),
});
export type AgentConfig = z.infer<typeof agentConfig>;

/** Names are shown to models inside tool descriptions: one line, no quotes. */
export const agentName = z
  .string()
  .trim()
  .min(1, "Give it a name.")
  .max(60, "At most 60 characters.")
  .regex(/^[^\n\r"“”:]*$/, "A name has no quotes, colons or line breaks.");

/** What stands in the way of publishing, beside the field it belongs to. */
export const draftProblem = z.object({
  /** Path in the configuration or team draft, e.g. "tools", "instructions", "root", "root.children.1.purpose". */
  field: z.string(),
  message: z.string(),
});
export type DraftProblem = z.infer<typeof draftProblem>;

export const agentSummary = z.object({
  id,
  name: z.string(),
  purpose: z.string(),
  /** Newest published version; null: never published. */
  version: z.int().nullable(),
  hasUnpublishedChanges: z.boolean(),
  model: z.string().nullable(),
  tools: z.int(),
  knowledge: z.int(),
  /** Of the newest published version, or of the draft while there is none: it can stand above others in a team. */
  mayLead: z.boolean(),
  /** Teams whose newest version or draft holds it. */
  teams: z.array(z.object({ id, name: z.string() })),
  updatedAt: instant,
});
export type AgentSummary = z.infer<typeof agentSummary>;

/** An agent to choose or to go to. */
export const agentChoice = z.object({
  id,
  name: z.string(),
  purpose: z.string(),
  version: z.int().nullable(),
  /** By its newest version: agents may be placed under it. */
  mayLead: z.boolean(),
});
export type AgentChoice = z.infer<typeof agentChoice>;

export const agentVersionSummary = z.object({
  id,
  number: z.int(),
  note: z.string(),
  publishedAt: instant,
  publishedBy: z.string().nullable(),
});

export const agentDetail = z.object({
  id,
  name: z.string(),
  draft: agentConfig,
  /** Send it back with every save: a newer one on the server means that somebody saved meanwhile. */
  draftRevision: z.int(),
  draftSavedBy: z.string().nullable(),
  updatedAt: instant,
  problems: z.array(draftProblem),
  versions: z.array(agentVersionSummary),
  /** The newest published configuration, to mark what differs. */
  published: agentConfig.nullable(),
  teams: z.array(z.object({ id, name: z.string(), version: z.int().nullable(), isBehind: z.boolean() })),
});
export type AgentDetail = z.infer<typeof agentDetail>;

/** A published version, whole. */
export const agentVersionDetail = z.object({
  number: z.int(),
  config: agentConfig,
  note: z.string(),
  publishedAt: instant,
  publishedBy: z.string().nullable(),
});
export type AgentVersionDetail = z.infer<typeof agentVersionDetail>;

export const listAgentsInput = z.strictObject({
  /** Words in its name or purpose. */
  search: z.string().trim().max(200).default(""),
  /** The last agent of the page before. */
  cursor: id.nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListAgentsInput = z.infer<typeof listAgentsInput>;
export const agentPage = z.object({ items: z.array(agentSummary), nextCursor: id.nullable() });
export const agentIdInput = z.strictObject({ agentId: id });
export const agentRef = z.object({ agentId: id });
export const createAgentInput = z.strictObject({ name: agentName, config: agentConfig });
export const saveAgentDraftInput = z.strictObject({
  agentId: id,
  draftRevision: z.int(),
  name: agentName,
  config: agentConfig,
});
export const publishAgentInput = z.strictObject({
  agentId: id,
  draftRevision: z.int(),
  note: z.string().trim().max(200).default(""),
  /** Teams that get a next version with this agent version in it. */
  updateTeamIds: z.array(id).default([]),
});
export const agentPublished = z.object({
  number: z.int(),
  updatedTeams: z.array(z.object({ id, name: z.string(), version: z.int() })),
});
export type AgentPublished = z.infer<typeof agentPublished>;
/** Copies a version into the draft; what the draft held before is gone. */
export const restoreAgentVersionInput = z.strictObject({
  agentId: id,
  number: z.int().min(1),
  draftRevision: z.int(),
});
export const agentVersionInput = z.strictObject({ agentId: id, number: z.int().min(1) });

/** A tool an agent may be given, for its form. */
export const toolChoice = z.object({
  name: z.string(),
  /** "built-in" or the name of the tool server. */
  source: z.string(),
  title: z.string(),
  description: z.string(),
  writes: z.boolean(),
  /** How it is called; null for a built-in tool. */
  policy: toolPolicy.nullable(),
  /** Set when it cannot be used now, in a sentence. */
  problem: z.string().nullable(),
});
export type ToolChoice = z.infer<typeof toolChoice>;
