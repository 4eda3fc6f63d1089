import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();
const day = z.iso.date();
const orNothing = (schema: z.ZodType<string, string>) => z.union([z.literal(""), schema]).default("");

/** What calls of models are grouped by (LLM-OBS-10). tools: the same tools with the same schemas (LLM-OBS-09). */
export const DIMENSIONS = ["agent", "team", "conversation", "model", "provider", "day", "tools", "run"] as const;
export type Dimension = (typeof DIMENSIONS)[number];
/** Those a list can be narrowed to one of; a day is a period. */
export const NARROWING = ["agent", "team", "conversation", "model", "provider", "tools", "run"] as const;

/** The key of what has none: no team, outside of conversations, not recorded. */
export const NONE = "?";

/** How a call ended: refused or broken off, or in the word of the endpoint. */
export const ENDS = ["failed", "stopped", "stop", "tool_calls", "length", "content_filter"] as const;
export type CallEnd = (typeof ENDS)[number];

export const SORTS = [
  "cost",
  "calls",
  "failed",
  "input",
  "cached",
  "output",
  "reasoning",
  "firstToken",
  "duration",
] as const;

const idOrNone = orNothing(z.union([z.literal(NONE), id]));
const name = z.string().max(400).default("");
const amount = orNothing(z.string().regex(/^\d{1,6}(\.\d{1,9})?$/));

/** An empty text leaves a filter out. Days are those of UTC, as limits count them. */
export const spendingFilters = z.strictObject({
  /** Of the newest days with today; empty: 30. custom: `from` to `to`. */
  period: z.enum(["", "today", "7", "90", "custom"]).default(""),
  from: orNothing(day),
  to: orNothing(day),
  /** Empty: by agent. call: each by itself. */
  by: z.enum(["", ...DIMENSIONS, "call"]).default(""),
  /** Most first; empty: by cost, but of days the newest. */
  sort: z.enum(["", ...SORTS]).default(""),
  agent: orNothing(id),
  team: idOrNone,
  conversation: idOrNone,
  run: orNothing(id),
  provider: name,
  /** "provider/model" */
  model: name,
  tools: orNothing(z.union([z.literal(NONE), z.string().regex(/^[0-9a-f]{64}$/)])),
  end: z.enum(["", ...ENDS]).default(""),
  /** Seconds. */
  slower: amount,
  /** US dollars. */
  dearer: amount,
});
export type SpendingFilters = z.infer<typeof spendingFilters>;

export const listSpendingInput = spendingFilters.extend({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListSpendingInput = z.infer<typeof listSpendingInput>;

/** Sums of calls. Amounts in nano-USD, times in ms; null: nobody told. */
const sums = z.object({
  calls: z.int(),
  failed: z.int(),
  /** Answered, and so with a usage. */
  answered: z.int(),
  inputTokens: z.int(),
  cachedTokens: z.int(),
  outputTokens: z.int(),
  /** Of the output tokens; null: none, or not told. */
  reasoningTokens: z.int().nullable(),
  costNanoUsd: z.int(),
  /** Calls whose price is not known: left out of the cost. */
  unpricedCalls: z.int(),
  /** Answered calls of which the provider did not say what they used: in no figure, and not free (LLM-OBS-11). */
  silentCalls: z.int(),
  /** Time to first token, of calls whose reply was streamed (LLM-OBS-08). */
  firstTokenMs: z.object({ median: z.number(), p95: z.number() }).nullable(),
  /** Median of answered calls. */
  durationMs: z.number().nullable(),
});
export type SpendingSums = z.infer<typeof sums>;

export const spendingSummary = z.object({
  /** First and last day of the period. */
  from: day,
  to: day,
  total: sums,
  /** Days with calls, the oldest first. */
  days: z.array(sums.extend({ day })),
  /** Of runs that began in the period and were removed since: in no other figure. */
  removed: z.object({ runs: z.int(), costNanoUsd: z.int() }),
  /** What the things are called that the list is narrowed to; what is not there has no name. */
  names: z.partialRecord(z.enum(NARROWING), z.string()),
});
export type SpendingSummary = z.infer<typeof spendingSummary>;

export const spendingGroup = sums.extend({
  key: z.string(),
  /** Null: it has none, or it is gone. */
  name: z.string().nullable(),
  /** Of the cost of all groups, from 0 to 1; null where nothing has a cost. */
  share: z.number().nullable(),
});
export type SpendingGroup = z.infer<typeof spendingGroup>;
export const groupPage = z.object({
  items: z.array(spendingGroup),
  total: z.int(),
  nextCursor: z.string().nullable(),
});

export const listedCall = z.object({
  runId: id,
  runTitle: z.string(),
  agentRunId: id,
  position: z.int(),
  agentName: z.string(),
  /** When it ended. */
  at: instant,
  /** condense: it made a tool's result shorter, within that tool's step. */
  kind: z.enum(["model", "summary", "condense"]),
  provider: z.string().nullable(),
  model: z.string(),
  status: z.enum(["answered", "failed", "stopped"]),
  finishReason: z.string().nullable(),
  errorCode: z.string().nullable(),
  /** 1 for a call before which none failed. */
  attempt: z.int(),
  inputTokens: z.int(),
  cachedTokens: z.int(),
  outputTokens: z.int(),
  reasoningTokens: z.int().nullable(),
  costNanoUsd: z.int().nullable(),
  /** False: it was answered, and nobody said what it used. */
  isUsageKnown: z.boolean(),
  firstTokenMs: z.number().nullable(),
  /** Null for one whose time is that of a tool. */
  durationMs: z.number().nullable(),
});
export type ListedCall = z.infer<typeof listedCall>;
export const callPage = z.object({ items: z.array(listedCall), nextCursor: z.string().nullable() });

export const spendingFile = spendingFilters.extend({ format: z.enum(["csv", "json"]) });
