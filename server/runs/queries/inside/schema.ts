import { z } from "zod";
import { REQUEST_STATUSES, STEP_KINDS, STEP_STATUSES, TASK_STATUSES, todo } from "@/server/engine/events";
import { runContext } from "@/server/engine/run-context";
import { RUN_STATUSES } from "@/server/engine/state";
import { entryKind } from "@/server/knowledge/entry-schema";
import { passageScores } from "@/server/knowledge/schema";

/** What the views of one run are asked and told: what was said, what it cost, what was looked up, how an agent stood. */

const id = z.uuid();
const instant = z.iso.datetime();
/** How many entries are already there; the next page begins after them. `direction` is sent along by tRPC's infinite queries. */
const paged = { cursor: z.int().min(0).max(10_000_000).nullish(), direction: z.literal("forward").optional() };
const nextCursor = z.int().nullable();
const search = z.string().trim().max(200).default("");

/** Longer texts are cut in lists; the rest is in the details of the row. */
export const MOST_PREVIEW = 1_200;

export const pageOfRunInput = z.strictObject({ runId: id, ...paged });
export type PageOfRunInput = z.infer<typeof pageOfRunInput>;

export const SAID_KINDS = [
  "task",
  "result",
  "mail",
  "question",
  "escalation",
  "passed_on",
  "answer",
  "steer",
  "handoff",
] as const;
export const saidInput = z.strictObject({
  runId: id,
  /** Only what this agent run said or was told. */
  agentRunId: id.nullish(),
  search,
  ...paged,
});
export type SaidInput = z.infer<typeof saidInput>;
const said = z.object({
  kind: z.enum(SAID_KINDS),
  at: instant,
  /** The agent runs it went between; null: a person. */
  fromId: id.nullable(),
  toId: id.nullable(),
  /** The person, or the agent by name, where no agent run says it. */
  by: z.string().nullable(),
  text: z.string(),
  isCut: z.boolean(),
  /** The row of the tree it belongs to. */
  key: z.string(),
});
export type Said = z.infer<typeof said>;
export const saidPage = z.object({ items: z.array(said), nextCursor, total: z.int() });

const spent = {
  calls: z.int(),
  inputTokens: z.int(),
  /** Of the input, read from the provider's cache. */
  cachedTokens: z.int(),
  outputTokens: z.int(),
  costNanoUsd: z.int(),
  /** Calls the cost leaves out, as nobody stated a price. */
  unpricedCalls: z.int(),
  /** Calls of which the provider did not say what they used (LLM-OBS-11). */
  silentCalls: z.int(),
};
const spentRow = z.object(spent);
export type SpentRow = z.infer<typeof spentRow>;

/** Summed over steps: what went on at the same time counts twice. */
const times = z.object({
  queuedMs: z.int(),
  modelMs: z.int(),
  toolMs: z.int(),
  retrievalMs: z.int(),
  /** For people. */
  waitingMs: z.int(),
  /** For agents it started. */
  childrenMs: z.int(),
});
export type Times = z.infer<typeof times>;

export const runCosts = z.object({
  total: spentRow,
  times,
  models: z.array(z.object({ provider: z.string(), model: z.string(), ...spent, tookMs: z.int() })),
  /** `costNanoUsd`: of the calls that condensed what it returned. */
  tools: z.array(
    z.object({
      name: z.string(),
      calls: z.int(),
      failed: z.int(),
      totalMs: z.int(),
      mostMs: z.int(),
      inputBytes: z.int(),
      outputBytes: z.int(),
      costNanoUsd: z.int(),
    }),
  ),
  /** Tools there are; `tools` are those that took longest. */
  toolsTotal: z.int(),
});
export type RunCosts = z.infer<typeof runCosts>;

const agentCost = z.object({
  id,
  name: z.string(),
  handle: z.string(),
  depth: z.int(),
  status: z.enum(RUN_STATUSES),
  own: spentRow,
  /** With everything below it. */
  tree: spentRow,
  times,
});
export type AgentCost = z.infer<typeof agentCost>;
export const agentCostPage = z.object({ items: z.array(agentCost), nextCursor, total: z.int() });

const amount = { costNanoUsd: z.int(), tokens: z.int() };
/** A limit on spending that holds for an agent run, and how far it is used: by whose limit it is, and everything below that. */
const agentLimit = z.object({
  agentRunId: id,
  name: z.string(),
  maxCostNanoUsd: z.int().nullable(),
  maxTokens: z.int().nullable(),
  spent: z.object(amount),
  /** For calls that are under way, or whose outcome nobody knows; counted like what was spent. */
  reserved: z.object(amount),
});
export type AgentLimit = z.infer<typeof agentLimit>;

export const agentSpendingInput = z.strictObject({ runId: id, agentRunId: id });
export type AgentSpendingInput = z.infer<typeof agentSpendingInput>;
export const agentSpending = z.object({
  own: spentRow,
  /** With everything below it. */
  tree: spentRow,
  reserved: z.object(amount),
  /** Of the tree, those that cost most first. */
  models: z.array(z.object({ provider: z.string(), model: z.string(), ...spent })),
  /** Its own, then those of the agents above it. */
  limits: z.array(agentLimit),
  /** Answers of its model; after the last that is allowed it is stopped. */
  rounds: z.object({ used: z.int(), most: z.int() }),
  /** Agents it has started and that have not ended; null: it starts none. */
  agents: z.object({ open: z.int(), most: z.int() }).nullable(),
  /** How full the context was of the last call it made itself; null: it made none. */
  context: z
    .object({
      position: z.int(),
      provider: z.string(),
      model: z.string(),
      /** As the provider counted what it was sent; null: it did not say. */
      tokens: z.int().nullable(),
      /** How much the model takes, as it is set now; null: nobody said. */
      contextTokens: z.int().nullable(),
    })
    .nullable(),
});
export type AgentSpending = z.infer<typeof agentSpending>;

/** LOK-OBS-03: what was visited, how often, how long. */
const timing = z.object({
  agent: z.string(),
  kind: z.enum(STEP_KINDS),
  name: z.string(),
  visits: z.int(),
  failed: z.int(),
  totalMs: z.int(),
  averageMs: z.int(),
  mostMs: z.int(),
  /** The slowest of them. */
  slowest: z.object({ agentRunId: id, position: z.int() }),
});
export type Timing = z.infer<typeof timing>;
export const timingPage = z.object({ items: z.array(timing), nextCursor, total: z.int() });

export const retrievalsInput = z.strictObject({
  runId: id,
  agentRunId: id.nullish(),
  search,
  ...paged,
});
export type RetrievalsInput = z.infer<typeof retrievalsInput>;
const passage = z.object({
  /** What stands between the brackets; null where the tool gave none. */
  mark: z.string().nullable(),
  document: z.string(),
  heading: z.string(),
  page: z.int().nullable(),
  text: z.string(),
  /** Null where none are known. */
  scores: passageScores.nullable(),
  baseName: z.string().nullable(),
  /** Its passage is kept and can be opened. */
  isKept: z.boolean(),
  isInAnswer: z.boolean(),
  /** Names of the agents whose result cites it. */
  citedBy: z.array(z.string()),
});
export type Passage = z.infer<typeof passage>;
const retrieval = z.object({
  agentRunId: id,
  agentName: z.string(),
  position: z.int(),
  tool: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: instant,
  tookMs: z.int(),
  query: z.string(),
  reason: z.string().nullable(),
  /** The only kind of entries it looked at; null: it looked at everything. */
  entryKind: entryKind.nullable(),
  passages: z.array(passage),
  /** False: it is from before each search kept its scores, and those of its passages are of when the run found each of them first. */
  hasOwnScores: z.boolean(),
  note: z.string().nullable(),
  /** The result is not a list of passages, as it was condensed or refused. */
  isUnreadable: z.boolean(),
});
export type Retrieval = z.infer<typeof retrieval>;
export const retrievalPage = z.object({ items: z.array(retrieval), nextCursor, total: z.int() });

/** `search`: in the name of the document, the agent or the tool. */
export const runFilesInput = z.strictObject({ runId: id, search, ...paged });
export type RunFilesInput = z.infer<typeof runFilesInput>;

const attachedFile = z.object({
  fileId: id,
  name: z.string(),
  sizeBytes: z.int(),
  status: z.string(),
  passages: z.int(),
});
export type AttachedFile = z.infer<typeof attachedFile>;
export const attachedPage = z.object({ items: z.array(attachedFile), nextCursor, total: z.int() });

/** A document of which an agent was shown a passage; `fileId` is null once it was removed. */
const usedDocument = z.object({
  documentId: id,
  baseId: id,
  name: z.string(),
  baseName: z.string().nullable(),
  fileId: id.nullable(),
  sizeBytes: z.int().nullable(),
  passages: z.int(),
});
export type UsedDocument = z.infer<typeof usedDocument>;
export const usedDocumentPage = z.object({ items: z.array(usedDocument), nextCursor, total: z.int() });

/** What an agent handed in; `name`: the agent's. */
const agentResult = z.object({ agentRunId: id, name: z.string(), bytes: z.int() });
export type AgentResult = z.infer<typeof agentResult>;
export const agentResultPage = z.object({ items: z.array(agentResult), nextCursor, total: z.int() });

/** Results of tools from this size on are listed as files. */
export const LARGE_RESULT_BYTES = 8_192;
/** `name`: the tool's. */
const largeResult = z.object({
  agentRunId: id,
  agentName: z.string(),
  position: z.int(),
  name: z.string(),
  bytes: z.int(),
});
export type LargeResult = z.infer<typeof largeResult>;
export const largeResultPage = z.object({ items: z.array(largeResult), nextCursor, total: z.int() });

export const momentsInput = z.strictObject({ runId: id, agentRunId: id, ...paged });
export type MomentsInput = z.infer<typeof momentsInput>;
/** A decision of an agent run and the event it is. */
const moment = z.object({
  decisionId: id,
  seq: z.int(),
  kind: z.string(),
  chosen: z.array(z.object({ label: z.string() })),
  at: instant,
});
export type Moment = z.infer<typeof moment>;
/** `firstSeq`: when it was started. */
export const momentPage = z.object({
  items: z.array(moment),
  nextCursor,
  total: z.int(),
  firstSeq: z.int(),
  lastSeq: z.int(),
});

/** As it stood after event `seq`. */
export const snapshotInput = z.strictObject({ runId: id, agentRunId: id, seq: z.int().min(0).max(2_000_000_000) });
export type SnapshotInput = z.infer<typeof snapshotInput>;
const counted = z.object({ messages: z.int(), bytes: z.int() });
export const snapshot = z.object({
  seq: z.int(),
  /** Of that event; null before the first. */
  at: instant.nullable(),
  agent: z.object({ name: z.string(), handle: z.string(), version: z.int() }),
  /** Null: it was not there yet. */
  status: z.enum(RUN_STATUSES).nullable(),
  statusReason: z.string().nullable(),
  task: z.string(),
  model: z.string(),
  todo: todo.nullable(),
  variables: runContext.shape.variables,
  entities: runContext.shape.entities,
  turns: z.int(),
  steps: z.int(),
  failedSteps: z.int(),
  /** What of its conversation was there, by who said it. */
  context: z.object({
    system: counted,
    user: counted,
    assistant: counted,
    tool: counted,
    /** Input of its last call, as the provider counted it; null: no call, or it did not say. */
    reportedTokens: z.int().nullable(),
  }),
  spent: spentRow,
  children: z.array(z.object({ id, name: z.string(), status: z.enum(RUN_STATUSES), reason: z.string().nullable() })),
  tasks: z.array(
    z.object({
      number: z.int(),
      subject: z.string(),
      status: z.enum(TASK_STATUSES),
      agent: z.string().nullable(),
    }),
  ),
  mails: z.array(z.object({ id, isSent: z.boolean(), with: z.string(), text: z.string(), isRead: z.boolean() })),
  requests: z.array(
    z.object({ id, prompt: z.string(), status: z.enum(REQUEST_STATUSES), answer: z.string().nullable() }),
  ),
});
export type Snapshot = z.infer<typeof snapshot>;

export const playbackInput = z.strictObject({
  runId: id,
  afterSeq: z.int().min(0).max(2_000_000_000),
});
export type PlaybackInput = z.infer<typeof playbackInput>;
/** What of an event moves the picture. */
const frame = z.object({
  seq: z.int(),
  /** Milliseconds since 1970. */
  atMs: z.int(),
  kind: z.enum([
    "agent.created",
    "agent.status",
    "step.finished",
    "decision.made",
    "mail.sent",
    "request.opened",
    "request.closed",
    "request.passed_on",
    "run.status",
  ]),
  agentRunId: id.nullable(),
  /** A status, the name of a step, a kind of decision. */
  word: z.string().nullable(),
  /** Who gets a letter, or answered. */
  toId: id.nullable(),
  costNanoUsd: z.int(),
  tokens: z.int(),
});
export type Frame = z.infer<typeof frame>;
export const framePage = z.object({ items: z.array(frame), more: z.boolean() });

export const messagesInput = z.strictObject({
  runId: id,
  agentRunId: id.nullish(),
  role: z.enum(["system", "user", "assistant", "tool"]).nullish(),
  search,
  ...paged,
});
export type MessagesInput = z.infer<typeof messagesInput>;
const runMessage = z.object({
  agentRunId: id,
  agentName: z.string(),
  index: z.int(),
  role: z.enum(["system", "user", "assistant", "tool"]),
  text: z.string(),
  isCut: z.boolean(),
  calls: z.array(z.string()),
  /** The step whose reply or result it is; null: it was given. */
  position: z.int().nullable(),
});
export type RunMessage = z.infer<typeof runMessage>;
export const messagePage = z.object({ items: z.array(runMessage), nextCursor, total: z.int() });
