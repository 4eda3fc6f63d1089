import { z } from "zod";
import { entityKeyText } from "@/server/engine/run-context";
import { RUN_STATUSES } from "@/server/engine/state";
import { FEEDBACK_TYPES } from "@/server/feedback/schema";

const id = z.uuid();

/** What a run is found by: active, waiting, failed and finished are several states each, see queries/run-conditions.ts. */
export const RUN_STATE_FILTERS = ["active", "finished", ...RUN_STATUSES] as const;
export type RunStateFilter = (typeof RUN_STATE_FILTERS)[number];
export const runStateFilter = z.enum(RUN_STATE_FILTERS);

/** "team:<id>" or "agent:<id>": a team, or an agent that was run by itself. */
export const runTargetKey = z.string().regex(/^(team|agent):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export const MOST_TAGS = 20;
export const runTag = z.string().trim().min(1, "Write a tag.").max(40, "At most 40 characters a tag.");
/** Two tags with the same key are the same tag. */
export const tagKey = (tag: string) => tag.toLowerCase();
const tags = z.array(runTag).max(MOST_TAGS, `At most ${MOST_TAGS} tags.`);

/** As many of one kind as are chosen at once: the filters are sent in an address. */
export const MOST_CHOSEN = 10;

/** What a list of runs is narrowed to. Days are of UTC; both ends count. */
export const runFilters = z.strictObject({
  /** In any of them; none: all. */
  status: z.array(runStateFilter).max(RUN_STATE_FILTERS.length).default([]),
  targets: z.array(runTargetKey).max(MOST_CHOSEN).default([]),
  startedBy: z.array(id).max(MOST_CHOSEN).default([]),
  /** It is a question of this conversation. */
  conversation: id.nullable().default(null),
  /** "type:id" of an entity that an agent run of it is about. */
  about: entityKeyText.nullable().default(null),
  from: z.iso.date().nullable().default(null),
  to: z.iso.date().nullable().default(null),
  minCostNanoUsd: z.int().min(1).nullable().default(null),
  longerThanMs: z.int().min(1).nullable().default(null),
  /** It has every one of them. */
  tags: z.array(runTag).max(MOST_CHOSEN).default([]),
  /** People said something of any of these types of its answer; none: whatever they said. */
  feedback: z.array(z.enum(FEEDBACK_TYPES)).max(FEEDBACK_TYPES.length).default([]),
  /** Only those that are archived, or only those that are not. */
  archived: z.boolean().default(false),
  /** In the title, the input or the answer. */
  search: z.string().trim().max(200).default(""),
  /** How a search finds: by those words, the newest first; or by likeness of task and answer to them, the most alike first. */
  rank: z.enum(["", "likeness"]).default(""),
});
export type RunFilters = z.infer<typeof runFilters>;

/** As a file: `filters` are those above as JSON. */
export const runListFile = z.strictObject({
  format: z.enum(["csv", "json"]),
  filters: z
    .string()
    .max(8_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("No JSON.");
        return z.NEVER;
      }
    })
    .pipe(runFilters),
});

export const listRunsInput = runFilters.extend({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListRunsInput = z.infer<typeof listRunsInput>;

/** The run before or after one in a list, whether or not that one is in it. */
export const runNeighbourInput = runFilters.extend({ runId: id, which: z.enum(["older", "newer"]) });
export type RunNeighbourInput = z.infer<typeof runNeighbourInput>;
export const runNeighbour = z.object({ runId: id.nullable() });

/** Every run that matches, for what is done to all of them; of more than `MOST_MATCHES` the newest. */
export const MOST_MATCHES = 10_000;
export const matchingRuns = z.object({ runIds: z.array(id), more: z.boolean() });

/** What the runs there are can be narrowed to. */
export const runChoices = z.object({
  targets: z.array(z.object({ kind: z.enum(["team", "agent"]), id, name: z.string(), isDeleted: z.boolean() })),
  people: z.array(z.object({ id, name: z.string() })),
  /** The most used ones first. */
  tags: z.array(z.object({ tag: z.string(), runs: z.int() })),
});
export type RunChoices = z.infer<typeof runChoices>;

/** As many as one call changes, and as one call removes. */
export const MOST_CHANGED = 500;
export const MOST_REMOVED = 20;
const severalRuns = z.array(id).min(1, "Select a run.").max(MOST_CHANGED, `At most ${MOST_CHANGED} runs at once.`);

export const renameRunInput = z.strictObject({
  runId: id,
  title: z.string().trim().min(1, "Give it a title.").max(200, "At most 200 characters."),
});
export const runRenamed = z.object({ title: z.string() });
export const setTagsInput = z.strictObject({ runId: id, tags });
export const tagsSet = z.object({ tags: z.array(z.string()) });
/** Tags that each of the runs gets, and tags that none of them keeps. */
export const tagRunsInput = z.strictObject({ runIds: severalRuns, add: tags.default([]), take: tags.default([]) });
export const archiveRunsInput = z.strictObject({ runIds: severalRuns, archived: z.boolean() });
export const planRemovalInput = z.strictObject({ runIds: severalRuns });
export const removeRunsInput = z.strictObject({
  runIds: severalRuns.max(MOST_REMOVED, `At most ${MOST_REMOVED} runs at once.`),
});

/** A run that stayed as it is, and why. */
export const runRefusal = z.object({ runId: id, title: z.string().nullable(), why: z.string() });
export type RunRefusal = z.infer<typeof runRefusal>;
export const runsChanged = z.object({ done: z.int(), refused: z.array(runRefusal) });
export type RunsChanged = z.infer<typeof runsChanged>;

/** What removing runs would remove, and what of them stays. */
export const removalPlan = z.object({
  runs: z.int(),
  steps: z.int(),
  decisions: z.int(),
  /** Without large values, which go with the next measurement when nothing else names them. */
  bytes: z.int(),
  /** Of them held: they are stopped with it. */
  held: z.int(),
  openRequests: z.int(),
  /** Calls of theirs that are answered from before: the same call is made again after that (ADR 027). */
  knownCalls: z.int(),
  /** Of them turns of a conversation, which stays. */
  turns: z.int(),
  /** Other runs that were retried from a step of one, or repeat one. They stay. */
  descendants: z.int(),
  refused: z.array(runRefusal),
});
export type RemovalPlan = z.infer<typeof removalPlan>;
