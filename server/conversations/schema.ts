import { z } from "zod";
import { RUN_STATUSES } from "@/server/engine/state";
import { documentView } from "@/server/knowledge/schema";

const id = z.uuid();
const instant = z.iso.datetime();

const target = z.object({
  kind: z.enum(["team", "agent"]),
  id,
  name: z.string(),
  /** Deleted since: the conversation can be read, not carried on. */
  isDeleted: z.boolean(),
});

export const conversationSummary = z.object({
  id,
  title: z.string(),
  target,
  turns: z.int(),
  /** Status of its newest run; null before the first question. */
  status: z.enum(RUN_STATUSES).nullable(),
  createdBy: z.string().nullable(),
  updatedAt: instant,
});
export type ConversationSummary = z.infer<typeof conversationSummary>;

export const listConversationsInput = z.strictObject({
  search: z.string().trim().max(200).default(""),
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  direction: z.literal("forward").optional(),
});
export const conversationPage = z.object({
  items: z.array(conversationSummary),
  nextCursor: z.string().nullable(),
});

/** `chosen` is among them, whatever its title. */
export const conversationChoicesInput = z.strictObject({
  search: z.string().trim().max(200).default(""),
  chosen: id.nullable().default(null),
});
export const conversationChoices = z.object({
  items: z.array(z.object({ id, title: z.string() })),
  /** There are others of this search. */
  more: z.boolean(),
});
export type ConversationChoices = z.infer<typeof conversationChoices>;

/** One question and what came of it. */
export const conversationTurn = z.object({
  runId: id,
  input: z.string(),
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().nullable(),
  answer: z.string().nullable(),
  openRequests: z.int(),
  askedBy: z.string().nullable(),
  /** Marks in the answer that open a passage. */
  citations: z.array(z.string()),
  costNanoUsd: z.int(),
  unpricedCalls: z.int(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type ConversationTurn = z.infer<typeof conversationTurn>;

/** A question whose run was removed: that there was one, and who removed it. */
export const removedTurn = z.object({
  runId: id,
  removedBy: z.string().nullable(),
  createdAt: instant,
  removedAt: instant,
});
export type RemovedTurn = z.infer<typeof removedTurn>;

export const conversationDetail = z.object({
  id,
  title: z.string(),
  target,
  /** Attachments; they are searched by every turn of this conversation. Null before the first. */
  baseId: id.nullable(),
  attachments: z.array(documentView),
  /** The newest of them, oldest first, and how many there are before those. */
  turns: z.array(conversationTurn),
  earlierTurns: z.int(),
  /** Of the time those turns are of. */
  removedTurns: z.array(removedTurn),
  /** Why no further question can be asked now; null when one can. */
  whyNotAsk: z.string().nullable(),
});
export type ConversationDetail = z.infer<typeof conversationDetail>;

/** `newest`: how many turns to read (TID-UI-01, -02: a long conversation is not read as a whole). */
export const TURNS_AT_ONCE = 50;
export const getConversationInput = z.strictObject({
  conversationId: id,
  newest: z.int().min(1).max(10_000).default(TURNS_AT_ONCE),
});
export const conversationIdInput = z.strictObject({ conversationId: id });
/** Exactly one of the two. */
export const startConversationInput = z.strictObject({ teamId: id.optional(), agentId: id.optional() });
export const conversationStarted = z.object({ conversationId: id });
export const askInput = z.strictObject({
  conversationId: id,
  input: z.string().trim().min(1, "Write a question.").max(20_000, "At most 20,000 characters."),
});
export const renameConversationInput = z.strictObject({
  conversationId: id,
  title: z.string().trim().min(1, "Give it a title.").max(120, "At most 120 characters."),
});
export type ListConversationsInput = z.infer<typeof listConversationsInput>;
export type StartConversationInput = z.infer<typeof startConversationInput>;
export type AskInput = z.infer<typeof askInput>;
export type RenameConversationInput = z.infer<typeof renameConversationInput>;

export const conversationRenamed = z.object({ title: z.string() });
/** What went with it. */
export const conversationRemoved = z.object({ runs: z.int(), attachments: z.int() });
