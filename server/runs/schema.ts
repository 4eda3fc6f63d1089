import { z } from "zod";
import {
  agentRow,
  chosenOption,
  decisionRow,
  EDITS,
  mail,
  requestView,
  runEvent,
  stepError,
  stepReused,
  stepRow,
  taskRow,
  textDelta,
} from "@/server/engine/events";
import { errorDetails } from "@/server/engine/resilience/error-details";
import { runLimits, runSpendLimits, spendLimits } from "@/server/engine/run-limits";
import { RUN_STATUSES } from "@/server/engine/state";
import { FEEDBACK_TYPES } from "@/server/feedback/schema";

const id = z.uuid();
const instant = z.iso.datetime();

/** Exactly one of teamId and agentId. */
export const startRunInput = z.strictObject({
  teamId: id.optional(),
  agentId: id.optional(),
  /** "provider/model" for this run; left out: the workspace's. Agents that name a model of their own keep it. */
  model: z.string().max(300).optional(),
  /** The run this one repeats, with or without changes. */
  rerunOfId: id.optional(),
  /** Of the team or agent; left out: its newest. */
  version: z.int().min(1).optional(),
  /** A person is asked before each call that writes. */
  askBeforeWrites: z.boolean().optional(),
  /** Instead of the team's own limits on spending; for an agent by itself there are none but its own. */
  limits: runSpendLimits.optional(),
  input: z.string().trim().min(1, "Say what the team should do.").max(20_000, "At most 20,000 characters."),
});
export type StartRunInput = z.infer<typeof startRunInput>;

export const runStarted = z.object({ runId: id });
/** What a run or agent run is after somebody stopped, paused or resumed it. */
export const runStanding = z.object({ status: z.enum(RUN_STATUSES) });

export const runIdInput = z.strictObject({ runId: id });
/** `limits`: a run that was suspended goes on under these, in place of those it had. */
export const resumeRunInput = z.strictObject({ runId: id, limits: spendLimits.optional() });
export const controlAgentInput = z.strictObject({ runId: id, agentRunId: id });
export const steerInput = z.strictObject({
  runId: id,
  agentRunId: id,
  text: z.string().trim().min(1, "Say something.").max(4_000, "At most 4,000 characters."),
});
export const steered = z.object({ steerId: id });
export const runsAffected = z.object({ runs: z.int() });

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

const viewName = z.string().trim().min(1, "Give it a name.").max(60, "At most 60 characters.");
/** Filters that somebody kept under a name. */
export const runView = z.object({
  id,
  name: z.string(),
  filters: runFilters,
  isShared: z.boolean(),
  isMine: z.boolean(),
  /** Whose it is. */
  by: z.string(),
});
export type RunView = z.infer<typeof runView>;
export const saveViewInput = z.strictObject({
  name: viewName,
  filters: runFilters,
  isShared: z.boolean().default(false),
});
export const viewIdInput = z.strictObject({ viewId: id });
/** What is left out stays as it is. */
export const changeViewInput = z.strictObject({
  viewId: id,
  name: viewName.optional(),
  filters: runFilters.optional(),
  isShared: z.boolean().optional(),
});
export type SaveViewInput = z.infer<typeof saveViewInput>;
export type ChangeViewInput = z.infer<typeof changeViewInput>;
export const viewSaved = z.object({ viewId: id });

export const runSummary = z.object({
  id,
  title: z.string(),
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().nullable(),
  /** What ran: a team, or one agent by itself. */
  target: z.object({ kind: z.enum(["team", "agent"]), id, name: z.string(), version: z.int() }),
  conversationId: id.nullable(),
  /** Model the run uses, "provider/name"; "rehearsal" is no LLM. */
  model: z.string(),
  startedBy: z.string().nullable(),
  openRequests: z.int(),
  agents: z.object({ total: z.int(), running: z.int() }),
  /** What the newest busy agent does now, e.g. "Searcher: docs__search"; null when nothing moves. */
  doing: z.string().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costNanoUsd: z.int(),
  unpricedCalls: z.int(),
  /** It was retried from a step of another run. */
  isFork: z.boolean(),
  /** It came from a file of another installation and can only be looked at; null: it was made here. */
  imported: z
    .object({
      workspace: z.string(),
      runId: id,
      savedBy: z.string(),
      savedAt: instant,
      by: z.string().nullable(),
      at: instant,
    })
    .nullable(),
  tags: z.array(z.string()),
  /** Since when lists leave it out, and who wanted it; null: they do not. */
  archived: z.object({ by: z.string().nullable(), at: instant }).nullable(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** Since when it is held; null while it is not. */
  heldAt: instant.nullable(),
  /** With the words that were searched for, from 0 to 1; only in a list by likeness. */
  similarity: z.number().optional(),
});
export type RunSummary = z.infer<typeof runSummary>;

/** A published team or agent: what a run or a conversation can be started with. */
export const runTarget = z.object({
  kind: z.enum(["team", "agent"]),
  id,
  name: z.string(),
  /** Of a team its description. */
  purpose: z.string(),
  version: z.int(),
  /** Names in a team, the supervisor first; empty for an agent. */
  agents: z.array(z.string()),
  /** A first request to try. */
  example: z.string().nullable(),
});
export type RunTarget = z.infer<typeof runTarget>;

export const runPage = z.object({ items: z.array(runSummary), nextCursor: z.string().nullable() });

/** The home page in numbers; `waiting` counts open human requests. */
export const runCounts = z.object({
  active: z.int(),
  waiting: z.int(),
  /** Calls that failed for good and that nobody has looked at. */
  deadLetters: z.int(),
  failedLastDay: z.int(),
  spentTodayNanoUsd: z.int(),
  /** Who paused everything, and when; null while runs may start. */
  paused: z.object({ by: z.string(), at: instant }).nullable(),
});
export type RunCounts = z.infer<typeof runCounts>;

const descendant = { id, title: z.string(), status: z.enum(RUN_STATUSES), createdAt: instant };
/** A step of another run, in that run. */
const forkPoint = {
  ...{ agentRunId: id, agentName: z.string().nullable(), position: z.int() },
  /** What a person changed there; null: nothing, it was only done anew. */
  edit: z.enum(EDITS).nullable(),
};

/** The shape of a run in one snapshot: everything up to and including event `lastSeq`, and nothing after it. */
export const runTree = z.object({
  run: runSummary.omit({ heldAt: true }).extend({
    input: z.string(),
    answer: z.string().nullable(),
    limits: runLimits,
    /** Reserved for model calls that are under way, or whose outcome nobody knows; counted like what was spent. */
    reserved: z.object({ costNanoUsd: z.int(), tokens: z.int() }),
    rerunOf: z
      .object({
        ...{ id, title: z.string() },
        /** What it ran. */
        target: z.object({ id, name: z.string(), version: z.int() }),
      })
      .nullable(),
    /** Runs that repeat this one, oldest first. */
    reruns: z.array(z.object({ ...descendant, target: z.string() })),
    /** The run and the step it was retried from; null for one that was not, and once that run is removed. */
    forkOf: z.object({ id, title: z.string(), ...forkPoint }).nullable(),
    /** Runs that were retried from a step of this one, oldest first. */
    forks: z.array(z.object({ ...descendant, ...forkPoint })),
    /** Marks in the answer and findings that open a passage (knowledge.citation). */
    citations: z.array(z.string()),
  }),
  agents: z.array(agentRow),
  steps: z.array(stepRow),
  decisions: z.array(decisionRow),
  requests: z.array(requestView),
  tasks: z.array(taskRow),
  mails: z.array(mail),
  liveTexts: z.array(z.object({ agentRunId: id, position: z.int(), text: z.string() })),
  lastSeq: z.int(),
});
export type RunTree = z.infer<typeof runTree>;

/**
 * Steps by column, as they travel: a run of 10,000 as objects is megabytes to send and to read. Row by row, in the order of the tree. Columns
 * called `…Delta` hold the difference to the row above; the first holds its own value.
 */
export const packedSteps = z.object({
  agentRunIds: z.array(id),
  names: z.array(z.string()),
  /** Places in the two lists above, in STEP_KINDS and in STEP_STATUSES. */
  agentRun: z.array(z.int()),
  name: z.array(z.int()),
  kind: z.array(z.int()),
  status: z.array(z.int()),
  positionDelta: z.array(z.int()),
  turnDelta: z.array(z.int()),
  /** Milliseconds since 1970. */
  startedAtDelta: z.array(z.int()),
  durationMs: z.array(z.int()),
  inputTokens: z.array(z.int()),
  outputTokens: z.array(z.int()),
  costNanoUsd: z.array(z.int().nullable()),
  inputBytes: z.array(z.int()),
  outputBytes: z.array(z.int()),
  /** By row; few have one. */
  errors: z.array(z.tuple([z.int(), stepError])),
  reused: z.array(z.tuple([z.int(), stepReused])),
});
export type PackedSteps = z.infer<typeof packedSteps>;

/** Decisions by column, as they travel. Lists are of equal length, but for those of what was chosen. */
export const packedDecisions = z.object({
  agentRunIds: z.array(id),
  /** Reasons, options and labels, each once. */
  texts: z.array(z.string()),
  /** Without hyphens, one after the other. */
  ids: z.string(),
  /** Places in the first list above, in DECISION_KINDS and in REASON_SOURCES. */
  agentRun: z.array(z.int()),
  kind: z.array(z.int()),
  source: z.array(z.int()),
  positionDelta: z.array(z.int()),
  ordinal: z.array(z.int()),
  costDelta: z.array(z.int()),
  /** Milliseconds since 1970. */
  atDelta: z.array(z.int()),
  /** Place of a text, or null. */
  reason: z.array(z.int().nullable()),
  chosenCount: z.array(z.int()),
  /** Of all that was chosen, decision after decision: places of texts, and how far behind the decision it is carried out. */
  chosen: z.object({
    option: z.array(z.int()),
    label: z.array(z.int()),
    reason: z.array(z.int().nullable()),
    position: z.array(z.int().nullable()),
  }),
});
export type PackedDecisions = z.infer<typeof packedDecisions>;

/** What is many of a run, as JSON: nothing on its way has to look at each number then. */
export const packedRows = z.object({ steps: packedSteps, decisions: packedDecisions });
export type PackedRows = z.infer<typeof packedRows>;

export const packedRunTree = runTree.omit({ steps: true, decisions: true }).extend({ packed: z.string() });
export type PackedRunTree = z.infer<typeof packedRunTree>;

export const stepInput = z.strictObject({ runId: id, agentRunId: id, position: z.int().min(0) });
export type StepInput = z.infer<typeof stepInput>;

/** `askBeforeWrites`: before each call that writes; else only before those of tools that had acted after the step. */
export const retryFromInput = stepInput.extend({ askBeforeWrites: z.boolean().default(true) });
export type RetryFromInput = z.infer<typeof retryFromInput>;

const editedCall = z.strictObject({
  name: z.string().min(1).max(200),
  /** A JSON object, as a model would write it. */
  arguments: z.string().max(50_000, "At most 50,000 characters."),
});

/** What is otherwise in a fork: what the model replied at a step, what a call returned, what its agent is told first, or which model answers. */
export const whatIfEdit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("reply"),
    text: z.string().max(50_000, "At most 50,000 characters."),
    calls: z.array(editedCall).max(8, "At most 8 calls."),
  }),
  z.strictObject({ kind: z.literal("result"), content: z.string().max(200_000, "At most 200,000 characters.") }),
  z.strictObject({
    kind: z.literal("instructions"),
    content: z.string().trim().min(1, "Say what the agent is told.").max(200_000, "At most 200,000 characters."),
  }),
  z.strictObject({ kind: z.literal("model"), model: z.string().min(1, "Choose a model.").max(300) }),
]);
export type WhatIfEdit = z.infer<typeof whatIfEdit>;

export const whatIfInput = retryFromInput.extend({ edit: whatIfEdit });
export type WhatIfInput = z.infer<typeof whatIfInput>;

/** A side effect of a run after the step it is retried from. */
const effectAfter = z.object({
  agentName: z.string(),
  agentRunId: id,
  position: z.int(),
  tool: z.string(),
  status: z.string(),
  at: instant,
});
export type EffectAfter = z.infer<typeof effectAfter>;

/** What a retry from a step would keep, and what stays done whatever it does. */
export const retryPlan = z.object({
  agentName: z.string(),
  stepName: z.string(),
  keptSteps: z.int(),
  /** What the kept steps cost where they were made; it is not counted again. */
  reusedCostNanoUsd: z.int(),
  /** The first of them, as they happened. */
  effects: z.array(effectAfter),
  effectsTotal: z.int(),
  /** A person is asked before each call of these, always. */
  tools: z.array(z.string()),
});
export type RetryPlan = z.infer<typeof retryPlan>;

export const rerunPlanInput = z.strictObject({ runId: id, version: z.int().min(1).nullish() });
/** What repeating a run as a whole would do: with which versions it can be, what it had done outside, what it may do again. */
export const rerunPlan = z.object({
  /** Of its team or agent, the newest first; the newest hundred. */
  versions: z.array(z.object({ number: z.int(), publishedAt: instant, isOfRun: z.boolean() })),
  /** Calls of it that wrote, or may have. They stay done. */
  effectsTotal: z.int(),
  effectTools: z.array(z.string()),
  /** Tools of the chosen version that write. */
  writes: z.array(z.string()),
});
export type RerunPlan = z.infer<typeof rerunPlan>;

export const toolSpec = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** Texts of a step of more bytes than this are sent as their beginning, and whole when somebody unfolds them. */
export const WHOLE_TEXT_BYTES = 8_192;
/** How much there is of what was sent as its beginning; absent: it was sent whole. */
const textCut = z.object({ bytes: z.int(), tokens: z.int() });
export type TextCut = z.infer<typeof textCut>;
const cut = textCut.optional();

/** Chinese, Japanese and Korean write about a word with each character. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, estimated: four characters of Latin text make one, and each of Chinese, Japanese or Korean is one (TID-TOK-01). */
export function estimateTokensOf(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0;
  return Math.ceil((text.length - cjk) / CHARACTERS_PER_TOKEN) + cjk;
}

export const messageView = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  /** Of its content. */
  cut,
  /** `cut`: bytes of the arguments, tokens of name and arguments. */
  calls: z.array(toolCall.extend({ cut })),
  callId: z.string().nullable(),
});
export type MessageView = z.infer<typeof messageView>;

/** `whole`: long texts too. */
export const stepDetailInput = stepInput.extend({ whole: z.boolean().default(false) });

/** A text of a step, by where it stands in its detail. Of a tool that was offered it is all of it as JSON. */
export const stepPart = z
  .string()
  .regex(
    /^(request\.messages\.\d{1,6}(\.calls\.\d{1,6})?|request\.tools\.\d{1,6}|reply(\.calls\.\d{1,6})?|call\.(arguments|result))$/,
    "There is no such part of a step.",
  );
export const stepTextInput = stepInput.extend({ part: stepPart });
export type StepTextInput = z.infer<typeof stepTextInput>;
export const stepText = z.object({ text: z.string() });

/** Input and output of one step, loaded when it is opened. */
export const stepDetail = z.object({
  step: stepRow,
  /** Null: it did not fail, or was recorded before errors had any. */
  errorDetails: errorDetails.nullable(),
  decisionId: id.nullable(),
  /** Model calls: the exact request, rebuilt from the messages it names. */
  request: z
    .object({
      model: z.string(),
      temperature: z.number().nullable(),
      messages: z.array(messageView),
      /** `cut`: of all of it as JSON; its parameters were not sent then. */
      tools: z.array(toolSpec.extend({ cut })),
    })
    .nullable(),
  /** Model calls: what came back. */
  reply: messageView.nullable(),
  /** What the provider sent of what the model thought before it replied; null: nothing. */
  reasoning: z.string().nullable(),
  /** Tool calls: the arguments as the model wrote them, and the result it was given. */
  call: z
    .object({
      ...{ name: z.string(), arguments: z.string(), result: z.string().nullable() },
      ...{ argumentsCut: cut, resultCut: cut },
    })
    .nullable(),
  effect: z
    .object({
      key: z.string(),
      status: z.string(),
      honoursKey: z.boolean(),
      /** The key the far side was sent, where that is not `key`. */
      sentKey: z.string().nullable(),
      /** Which of its tool's calls are the same call, when it was made; null: nobody said. */
      strategy: z.string().nullable(),
      /** The key such calls have in common. */
      callKey: z.string().nullable(),
      /** The step of the same call made before; null: this one was made. `runId` is null once that run is removed. */
      repeats: z.object({ runId: id.nullable(), agentRunId: id, position: z.int() }).nullable(),
      intendedAt: instant,
      settledAt: instant.nullable(),
    })
    .nullable(),
  humanRequest: requestView.nullable(),
});
export type StepDetail = z.infer<typeof stepDetail>;

/** One model call as a record (LLM-OBS-01), without what was said. Null stands for what nobody told. */
export const modelCall = z.object({
  callId: id,
  startedAt: instant,
  completedAt: instant,
  elapsedMs: z.int(),
  provider: z.string().nullable(),
  /** As it was asked for. */
  model: z.string(),
  /** As the endpoint names what answered; null: nothing did. */
  responseModel: z.string().nullable(),
  /** Base address of the provider as it is now; empty: none of the workspace's. */
  endpoint: z.string(),
  parameters: z.object({ temperature: z.number().nullable() }),
  /** How much the model takes, as it is set now; null: nobody said. */
  contextTokens: z.int().nullable(),
  /** Messages that were there when it was made. */
  messages: z.int().nullable(),
  /** A summary of earlier messages was sent in their place. */
  isCondensed: z.boolean(),
  /** Calls of the run, with this one, that were offered the very same tools and settings. */
  sameRequests: z.int(),
  /** `hash`: SHA-256 over names and schemas, the same for the same tools. */
  tools: z.object({ names: z.array(z.string()), hash: z.string() }).nullable(),
  /** `isKnown` false: the endpoint counted nothing, which does not mean that nothing was used. */
  usage: z
    .object({
      ...{ prompt: z.int(), completion: z.int(), cached: z.int(), reasoning: z.int().nullable(), total: z.int() },
      isKnown: z.boolean(),
    })
    .nullable(),
  cost: z
    .object({
      /** Null: its price was unknown. */
      nanoUsd: z.int().nullable(),
      /** What it was billed at, by the price version of these four; null: there was no price, or they were not kept then. */
      rates: z
        .object({
          version: z.string(),
          ...{ inputNanoUsdPerMtok: z.int(), cachedNanoUsdPerMtok: z.int().nullable() },
          ...{ outputNanoUsdPerMtok: z.int(), reasoningNanoUsdPerMtok: z.int().nullable() },
        })
        .nullable(),
      /** What it comes to by what its tokens were; the discount comes off the rest. Null as the rates. */
      parts: z
        .object({
          ...{ promptNanoUsd: z.int(), cachedDiscountNanoUsd: z.int() },
          ...{ completionNanoUsd: z.int(), reasoningNanoUsd: z.int() },
        })
        .nullable(),
    })
    .nullable(),
  /** In the endpoint's word: stop, length, tool_calls, content_filter… */
  finishReason: z.string().nullable(),
  error: z.object({ class: z.string().nullable(), code: z.string(), message: z.string() }).nullable(),
  /** Null: the reply was not streamed, or nobody told. */
  stream: z.object({ firstPieceMs: z.int().nullable(), pieces: z.int() }).nullable(),
  /**
   * What of it counts against the limits on spending: settled at what it used; released, as it failed before it could cost anything;
   * unconfirmed at what was reserved, as nobody knows. Null: no limit held.
   */
  reservation: z
    .object({
      status: z.enum(["reserved", "settled", "released", "unconfirmed"]),
      ...{ costNanoUsd: z.int(), tokens: z.int() },
    })
    .nullable(),
  /** Failed calls in a row just before it. */
  retryAttempt: z.int(),
  /** Taken over from another run. */
  isReused: z.boolean(),
});
export type ModelCall = z.infer<typeof modelCall>;

export const decisionInput = z.strictObject({ runId: id, decisionId: id });

/** An option as it was offered at that moment, with the words the model saw. */
export const offeredOption = z.object({
  key: z.string(),
  kind: z.enum(["agent", "tool", "action"]),
  label: z.string(),
  description: z.string(),
});
export type OfferedOption = z.infer<typeof offeredOption>;

export const decisionDetail = z.object({
  decision: decisionRow,
  agentName: z.string(),
  options: z.array(offeredOption),
  outcomes: z.array(
    chosenOption.extend({
      /** Status word of the step or child agent run that carried the choice out; null while none has begun. */
      status: z.string().nullable(),
      childId: id.nullable(),
    }),
  ),
});
export type DecisionDetail = z.infer<typeof decisionDetail>;

export const agentRunInput = z.strictObject({ runId: id, agentRunId: id });
export const agentRunDetail = z.object({
  agent: agentRow,
  task: z.string(),
  instructions: z.string(),
  result: z.string().nullable(),
});
export type AgentRunDetail = z.infer<typeof agentRunDetail>;

export const eventsInput = z.strictObject({ runId: id, agentRunId: id.nullish(), beforeSeq: z.int().nullish() });
export const eventPage = z.object({ items: z.array(runEvent), more: z.boolean() });

/** One subscription a tab. `lastEventId` is the last seq the reader has; tRPC sends it again on reconnect. */
export const followInput = z.strictObject({
  runId: id.nullish(),
  lastEventId: z
    .string()
    .regex(/^\d{1,9}$/)
    .nullish(),
});
export type FollowInput = z.infer<typeof followInput>;

/** Change by themselves, while agents work and documents are indexed. documents: `id` is the base. */
export const LIVE_NOUNS = ["runs", "requests", "documents"] as const;
/** Change by a person's hand. Named as their routers are: a change through one of those is told (procedures.ts). */
export const EDITED_NOUNS = [
  "agents",
  "teams",
  "knowledge",
  "conversations",
  "decisions",
  "feedback",
  "finding",
  "providers",
  "toolServers",
  "tracing",
  "members",
  "system",
  "usage",
  "runViews",
] as const;
export const CHANGED_NOUNS = [...LIVE_NOUNS, ...EDITED_NOUNS] as const;
export type ChangedNoun = (typeof CHANGED_NOUNS)[number];

export const followMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: runEvent }),
  z.object({ type: z.literal("delta"), delta: textDelta }),
  /** Something in the workspace changed: lists of that noun are worth reading again. */
  z.object({ type: z.literal("changed"), noun: z.enum(CHANGED_NOUNS), id: id.nullable() }),
]);
export type FollowMessage = z.infer<typeof followMessage>;

/** Key of a row of a run's tree: `agent:<id>`, `decision:<id>`, or a step as `<agent run>.<position>`. */
const place = z
  .string()
  .max(100)
  .regex(/^[\w:.-]+$/, "There is no such place in a run.");

/** For how many days a link is good; null: until it is taken back. */
export const LINK_DAYS = [1, 7, 30, null] as const;

export const createShareLinkInput = z.strictObject({
  runId: id,
  /** Null: the run as its page opens it. */
  place: place.nullable(),
  days: z.union([z.literal(1), z.literal(7), z.literal(30)]).nullable(),
});
export type CreateShareLinkInput = z.infer<typeof createShareLinkInput>;

/** `token` is told this once: only a hash of it is kept. */
export const shareLinkCreated = z.object({ id, token: z.string() });
export const shareLinkInput = z.strictObject({ linkId: id });
export const shareLinkRevoked = z.object({ id });

/** Anything: what is no token leads nowhere, as one that was guessed. */
export const openShareLinkInput = z.strictObject({ token: z.string().max(200) });
export const sharedPlace = z.object({ runId: id, place: z.string().nullable() });

export const shareLink = z.object({
  id,
  /** A row of the tree, see above; null: the run. */
  place: z.string().nullable(),
  /** What that row is; null: the run, or it is gone. */
  placeName: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  state: z.enum(["open", "expired", "revoked"]),
});
export type ShareLink = z.infer<typeof shareLink>;
