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
} from "@/server/engine/events";
import { startContext } from "@/server/engine/run-context";
import { runLimits, runSpendLimits, spendLimits } from "@/server/engine/run-limits";
import { RUN_STATUSES } from "@/server/engine/state";

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
  /** What it is about; left out: nothing, or what the run that is repeated began with. */
  context: startContext.optional(),
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
  /** How many of the active ones no list shows until it is asked for archived ones. */
  activeArchived: z.int(),
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

/** `position`: only events about that step of the agent run; `decisionId`: only the one that tells of that decision. */
export const eventsInput = z.strictObject({
  ...{ runId: id, agentRunId: id.nullish(), beforeSeq: z.int().nullish() },
  ...{ position: z.int().min(0).nullish(), decisionId: id.nullish() },
});
export type EventsInput = z.infer<typeof eventsInput>;
export const eventPage = z.object({ items: z.array(runEvent), more: z.boolean() });
