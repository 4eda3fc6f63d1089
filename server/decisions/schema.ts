import { z } from "zod";
import { chosenOption, DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import { entityKeyText } from "@/server/engine/run-context";
import { offeredOption } from "@/server/runs/schema";

const id = z.uuid();
const instant = z.iso.datetime();

/** What came of a decision: of all the steps and agent runs that carried it out, the worst. `nothing`: no step or agent run did. */
export const OUTCOMES = ["completed", "failed", "open", "nothing"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a person may say of a decision afterwards; `better`: another option would have been. */
export const VERDICTS = ["right", "wrong", "better"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** An empty text leaves a filter out. Days are those of UTC. */
export const decisionFilters = z.strictObject({
  kind: z.enum(["", ...DECISION_KINDS]).default(""),
  source: z.enum(["", ...REASON_SOURCES]).default(""),
  outcome: z.enum(["", ...OUTCOMES]).default(""),
  label: z.enum(["", ...VERDICTS, "unlabelled"]).default(""),
  /** Name of the agent that took it. */
  agent: z.string().max(300).default(""),
  /** Number of its version. */
  version: z.union([z.literal(""), z.string().regex(/^[1-9]\d{0,5}$/)]).default(""),
  /** Id of the team whose run it was taken in. */
  team: z.union([z.literal(""), id]).default(""),
  /** Id of the conversation whose run it was taken in. */
  conversation: z.union([z.literal(""), id]).default(""),
  /** "type:id" of an entity that the agent run which took it is about. */
  about: z.union([z.literal(""), entityKeyText]).default(""),
  /** Key of an option that was chosen: a tool's name, or `agent:<name>`. */
  option: z.string().max(300).default(""),
  from: z.union([z.literal(""), z.iso.date()]).default(""),
  to: z.union([z.literal(""), z.iso.date()]).default(""),
  /** Words in the reason, the labels of what was chosen, or the title of the run. */
  search: z.string().trim().max(200).default(""),
  /** How a search finds: by those words, the newest first; or by likeness of the situation to them, the most alike first. */
  rank: z.enum(["", "likeness"]).default(""),
});
export type DecisionFilters = z.infer<typeof decisionFilters>;

/** As a file. */
export const decisionListFile = decisionFilters.extend({ format: z.enum(["csv", "json"]) });

export const listDecisionsInput = decisionFilters.extend({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListDecisionsInput = z.infer<typeof listDecisionsInput>;

const standing = z.object({ verdict: z.enum(VERDICTS), by: z.string() });

export const decisionSummary = z.object({
  id,
  runId: id,
  runTitle: z.string(),
  agentName: z.string(),
  kind: z.enum(DECISION_KINDS),
  chosen: z.array(chosenOption),
  /** Its beginning. */
  reason: z.string().nullable(),
  source: z.enum(REASON_SOURCES),
  outcome: z.enum(OUTCOMES),
  labels: z.array(standing),
  at: instant,
  /** Taken elsewhere: its run came from a file. */
  isImported: z.boolean(),
  /** With the words that were searched for, from 0 to 1; only in a list by likeness. */
  similarity: z.number().optional(),
});
export type DecisionSummary = z.infer<typeof decisionSummary>;

export const decisionPage = z.object({ items: z.array(decisionSummary), nextCursor: z.string().nullable() });

/** How often an option was chosen, and how it ended each time. */
export const optionOutcomes = z.object({
  option: z.string(),
  label: z.string(),
  times: z.int(),
  completed: z.int(),
  failed: z.int(),
  open: z.int(),
  nothing: z.int(),
});
export type OptionOutcomes = z.infer<typeof optionOutcomes>;

export const outcomeCounts = z.object({
  /** The most frequent, most frequent first. */
  options: z.array(optionOutcomes),
  /** Options there are besides these. */
  others: z.int(),
  /** Decisions looked at. */
  decisions: z.int(),
  /** There are older ones that were not looked at. */
  isCut: z.boolean(),
});
export type OutcomeCounts = z.infer<typeof outcomeCounts>;

export const decisionIdInput = z.strictObject({ decisionId: id });

export const decisionLabel = z.object({
  id,
  /** Null: whoever it was is no longer here. */
  userId: id.nullable(),
  by: z.string(),
  verdict: z.enum(VERDICTS),
  option: z.string().nullable(),
  words: z.string().nullable(),
  note: z.string().nullable(),
  at: instant,
  /** When it was changed or withdrawn; null while it stands. */
  endedAt: instant.nullable(),
});
export type DecisionLabel = z.infer<typeof decisionLabel>;

/** All the record says about one decision. */
export const decisionRecord = z.object({
  id,
  runId: id,
  runTitle: z.string(),
  agentRunId: id,
  agentName: z.string(),
  agentVersion: z.int(),
  /** The model that took it, "provider/name"; null where none did. */
  model: z.string().nullable(),
  kind: z.enum(DECISION_KINDS),
  /** What the agent was asked to do; its beginning. */
  task: z.string(),
  options: z.array(offeredOption),
  chosen: z.array(
    chosenOption.extend({
      /** Status word of the step or agent run that carried it out; null while none has begun. */
      status: z.string().nullable(),
    }),
  ),
  reason: z.string().nullable(),
  source: z.enum(REASON_SOURCES),
  outcome: z.enum(OUTCOMES),
  costSoFarNanoUsd: z.int(),
  /** Calls of the run without a known price: none of them is in what it cost. */
  unpricedCalls: z.int(),
  at: instant,
  /** As they were said, the newest first; what stands and what stood before. */
  labels: z.array(decisionLabel),
});
export type DecisionRecord = z.infer<typeof decisionRecord>;

const said = z
  .string()
  .trim()
  .max(1_000, "At most 1,000 characters.")
  .nullish()
  .transform((text) => text || null);

export const labelDecisionInput = z
  .strictObject({
    decisionId: id,
    verdict: z.enum(VERDICTS),
    /** Key of the better option as it was offered. */
    option: z.string().max(300).nullish(),
    /** What would have been better, where it was not on offer. */
    words: said,
    note: said,
  })
  .refine(({ verdict, option, words }) => (verdict === "better") === Boolean(option || words), {
    path: ["option"],
    message: "Choose the option that would have been better, or say it in words.",
  })
  .refine(({ option, words }) => !(option && words), {
    path: ["words"],
    message: "Choose an option or say it in words, not both.",
  });
export type LabelDecisionInput = z.infer<typeof labelDecisionInput>;

export const DEFAULT_SIMILARITY = 0.7;

export const precedentsInput = z.strictObject({
  decisionId: id,
  /** Least similarity, from 0 to 1. */
  threshold: z.number().min(0).max(1).default(DEFAULT_SIMILARITY),
});
export type PrecedentsInput = z.infer<typeof precedentsInput>;

export const precedent = decisionSummary
  .omit({ reason: true, source: true, isImported: true })
  .extend({ similarity: z.number() });
export type Precedent = z.infer<typeof precedent>;

/** Earlier decisions of the workspace like one. */
export const precedents = z.object({
  /** waiting: where it lies among others is not known yet, and will be; refused: the embedding model would not take its words. */
  state: z.enum(["prepared", "waiting", "refused"]),
  /** The most similar, most similar first. */
  items: z.array(precedent),
  /** All that are similar enough, `items` and more. */
  total: z.int(),
  /** Earlier decisions of its kind it was compared with. */
  compared: z.int(),
  /** There are still earlier ones, which were not compared. */
  isCut: z.boolean(),
});
export type Precedents = z.infer<typeof precedents>;

/** Rows of the labelled set in one file. */
export const MOST_EXPORTED = 10_000;

/** A decision in plain sentences, from the record only. */
export const decisionExplanation = z.object({
  sentences: z.array(z.string()),
  /** Whether there were earlier ones like it is not known yet, and will be. */
  isWaiting: z.boolean(),
});
export type DecisionExplanation = z.infer<typeof decisionExplanation>;
