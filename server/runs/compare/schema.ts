import { z } from "zod";
import { DECISION_KINDS, REASON_SOURCES, STEP_KINDS, STEP_STATUSES } from "@/server/engine/events";
import { runContext } from "@/server/engine/run-context";
import { RUN_STATUSES } from "@/server/engine/state";
import { decisionDetail, runTree } from "../schema";

const id = z.uuid();

export const compareRunsInput = z.strictObject({ leftRunId: id, rightRunId: id });

/** What a run is and took: what one looks at before its steps. */
export const runFacts = runTree.shape.run
  .pick({ id: true, title: true, status: true, statusReason: true, target: true, model: true, input: true })
  .extend(runTree.shape.run.pick({ answer: true, citations: true, inputTokens: true, outputTokens: true }).shape)
  .extend(runTree.shape.run.pick({ costNanoUsd: true, unpricedCalls: true, createdAt: true, forkOf: true }).shape)
  .extend({
    /** From its creation to its end; null while it goes on. */
    elapsedMs: z.int().nullable(),
    /** Of that, when it was at work: neither held nor waiting for people. */
    activeMs: z.int(),
    /** What it was about when it began; null: nothing. */
    about: runContext.nullable(),
    agents: z.int(),
    decisions: z.int(),
    steps: z.record(z.enum(STEP_KINDS), z.int()),
    failedSteps: z.int(),
    /** Steps copied from the run it was retried from, and what they used there; nothing of it is in the figures above. */
    reused: z.object({ steps: z.int(), tokens: z.int(), costNanoUsd: z.int() }),
  });
export type RunFacts = z.infer<typeof runFacts>;

/** A step or decision as a row tells it; what it was given and gave is loaded when it is opened. */
export const comparedPlace = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("step"),
    position: z.int(),
    turn: z.int(),
    kind: z.enum(STEP_KINDS),
    name: z.string(),
    status: z.enum(STEP_STATUSES),
    /** Its error, or what a person answered. */
    note: z.string().nullable(),
  }),
  z.object({
    type: z.literal("decision"),
    id,
    position: z.int(),
    kind: z.enum(DECISION_KINDS),
    chosen: z.array(z.object({ label: z.string() })),
    /** Only of what a person said: there it is what was chosen. */
    reason: z.string().nullable(),
    source: z.enum(REASON_SOURCES),
  }),
]);
export type ComparedPlace = z.infer<typeof comparedPlace>;

/**
 * changed: the same place, where something else was chosen or came of it. `ahead`: the other run is still at work and may yet
 * come to it, so it is no difference.
 */
export const PAIR_STATES = ["same", "changed", "only-left", "only-right"] as const;
export type PairState = (typeof PAIR_STATES)[number];

export const comparedEntry = z.object({
  state: z.enum(PAIR_STATES),
  ahead: z.boolean(),
  left: comparedPlace.nullable(),
  right: comparedPlace.nullable(),
});
export type ComparedEntry = z.infer<typeof comparedEntry>;

/** Entries one after the other that were not sent, because a large run has too many. */
export const leftOutEntries = z.object({ state: z.literal("left-out"), same: z.int(), different: z.int() });
export type LeftOutEntries = z.infer<typeof leftOutEntries>;

const comparedAgent = z.object({
  id,
  name: z.string(),
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().nullable(),
});

/** An agent run and its counterpart. Those above come before those below. */
export const comparedPair = z.object({
  state: z.enum(PAIR_STATES),
  ahead: z.boolean(),
  left: comparedAgent.nullable(),
  right: comparedAgent.nullable(),
  /** Place in the list of the pair above; null: the root. */
  parent: z.int().nullable(),
  /** Place among the entries of the pair above: the decision that started it; null: none did. */
  under: z.int().nullable(),
  entries: z.array(z.union([comparedEntry, leftOutEntries])),
});
export type ComparedPair = z.infer<typeof comparedPair>;

const divergingSide = z.object({
  agentName: z.string(),
  agentRunId: id,
  place: comparedPlace.nullable(),
  /** Nothing of this run is at that place: `place` is what it did next, of the same kind; null: nothing more. */
  isNext: z.boolean(),
  /** Of a decision: its options as they were offered, and its reason. */
  decision: decisionDetail.nullable(),
});
export type DivergingSide = z.infer<typeof divergingSide>;

export const runComparison = z.object({
  left: runFacts,
  right: runFacts,
  pairs: z.array(comparedPair),
  /** Where they first differ, in the order of time of the left run; null: nowhere. `entry` is null where whole agent runs differ. */
  divergence: z
    .object({
      state: z.enum(PAIR_STATES),
      pair: z.int(),
      entry: z.int().nullable(),
      /** Null: its agent run has no counterpart. */
      left: divergingSide.nullable(),
      right: divergingSide.nullable(),
    })
    .nullable(),
  same: z.int(),
  different: z.int(),
  /** Of these, entries that were not sent. */
  leftOut: z.object({ same: z.int(), different: z.int() }),
});
export type RunComparison = z.infer<typeof runComparison>;
