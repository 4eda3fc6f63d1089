import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();

/** INT-LEARN-02, in small letters: positive and negative are votes (thumbs), each with a comment if there is one. */
export const FEEDBACK_TYPES = ["positive", "negative", "correction", "preference"] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];
/** Of these a person has one at most on an answer. */
export const isVote = (type: FeedbackType) => type === "positive" || type === "negative";

export const MOST_CHARACTERS = 4_000;
const TOO_LONG = "At most 4,000 characters.";
const words = z.string().trim().max(MOST_CHARACTERS, TOO_LONG);
/** Texts by name, for whoever reads them again: where it was given, the number of a ticket. Kept as they are. */
export const MOST_METADATA = 20;
export const feedbackMetadata = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .refine((map) => Object.keys(map).length <= MOST_METADATA, `At most ${MOST_METADATA} entries.`);

export const giveFeedbackInput = z
  .strictObject({
    runId: id,
    type: z.enum(FEEDBACK_TYPES),
    /** Of a vote a comment, if there is one. */
    content: words.default(""),
    metadata: feedbackMetadata.default({}),
  })
  .refine(({ type, content }) => isVote(type) || content !== "", { path: ["content"], message: "Say it in words." });
export type GiveFeedbackInput = z.infer<typeof giveFeedbackInput>;

export const changeFeedbackInput = z.strictObject({ feedbackId: id, content: words });
export type ChangeFeedbackInput = z.infer<typeof changeFeedbackInput>;
export const feedbackIdInput = z.strictObject({ feedbackId: id });
export const feedbackGiven = z.object({ feedbackId: id });

/** What is said of the answer of one run, or of each answer of a conversation. */
export const onRunInput = z.strictObject({ runId: id });
export const onConversationInput = z.strictObject({ conversationId: id });

/** An empty text leaves a filter out. Days are those of UTC. */
export const feedbackFilters = z.strictObject({
  type: z.enum(["", ...FEEDBACK_TYPES]).default(""),
  /** Name of the agent that answered: the root of its run. */
  agent: z.string().max(300).default(""),
  /** Id of the team it answered for. */
  team: z.union([z.literal(""), id]).default(""),
  from: z.union([z.literal(""), z.iso.date()]).default(""),
  to: z.union([z.literal(""), z.iso.date()]).default(""),
  /** Words in it, or in the title of the run. */
  search: z.string().trim().max(200).default(""),
});
export type FeedbackFilters = z.infer<typeof feedbackFilters>;

export const listFeedbackInput = feedbackFilters.extend({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListFeedbackInput = z.infer<typeof listFeedbackInput>;

export const feedbackEntry = z.object({
  id,
  runId: id,
  type: z.enum(FEEDBACK_TYPES),
  content: z.string(),
  /** Null: whoever it was is no longer here. */
  userId: id.nullable(),
  by: z.string(),
  at: instant,
  editedAt: instant.nullable(),
});
export type FeedbackEntry = z.infer<typeof feedbackEntry>;

/** One entry where many are listed, with what it is about as that was when it was given. */
export const feedbackSummary = feedbackEntry.extend({
  runTitle: z.string(),
  agentName: z.string(),
  agentVersion: z.int(),
  teamName: z.string().nullable(),
  conversationId: id.nullable(),
});
export type FeedbackSummary = z.infer<typeof feedbackSummary>;

export const feedbackPage = z.object({ items: z.array(feedbackSummary), nextCursor: z.string().nullable() });

/** How many of each type a filter holds, whichever type it asks for. */
export const feedbackCounts = z.object({
  positive: z.int(),
  negative: z.int(),
  correction: z.int(),
  preference: z.int(),
});
export type FeedbackCounts = z.infer<typeof feedbackCounts>;

/** Rows of one file. */
export const MOST_EXPORTED = 10_000;
