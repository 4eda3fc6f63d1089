import { z } from "zod";
import { agentRow, chosenOption, decisionRow, requestView, runEvent, stepRow, textDelta } from "@/server/engine/events";
import { RUN_STATUSES } from "@/server/engine/state";

const id = z.uuid();
const instant = z.iso.datetime();

export const startRunInput = z.strictObject({
  teamId: id,
  input: z.string().trim().min(1, "Say what the team should do.").max(20_000, "At most 20,000 characters."),
});
export type StartRunInput = z.infer<typeof startRunInput>;

export const runStarted = z.object({ runId: id });
export const runStopped = z.object({ status: z.enum(RUN_STATUSES) });

export const runIdInput = z.strictObject({ runId: id });

export const listRunsInput = z.strictObject({
  status: z.enum(["all", "active", "waiting", "failed", "finished"]).default("all"),
  search: z.string().trim().max(200).default(""),
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
  /** Sent along by tRPC's infinite queries; lists only go forward. */
  direction: z.literal("forward").optional(),
});
export type ListRunsInput = z.infer<typeof listRunsInput>;

export const runSummary = z.object({
  id,
  title: z.string(),
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().nullable(),
  team: z.object({ id, name: z.string(), version: z.int() }),
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
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;

export const runPage = z.object({ items: z.array(runSummary), nextCursor: z.string().nullable() });

/** The home page in numbers; `waiting` counts open human requests. */
export const runCounts = z.object({
  active: z.int(),
  waiting: z.int(),
  failedLastDay: z.int(),
  spentTodayNanoUsd: z.int(),
});
export type RunCounts = z.infer<typeof runCounts>;

/** The shape of a run in one snapshot: everything up to and including event `lastSeq`, and nothing after it. */
export const runTree = z.object({
  run: runSummary.extend({ input: z.string(), answer: z.string().nullable() }),
  agents: z.array(agentRow),
  steps: z.array(stepRow),
  decisions: z.array(decisionRow),
  requests: z.array(requestView),
  liveTexts: z.array(z.object({ agentRunId: id, position: z.int(), text: z.string() })),
  lastSeq: z.int(),
});
export type RunTree = z.infer<typeof runTree>;

export const stepInput = z.strictObject({ runId: id, agentRunId: id, position: z.int().min(0) });

const toolSpec = z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) });
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export const messageView = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  calls: z.array(toolCall),
  callId: z.string().nullable(),
});
export type MessageView = z.infer<typeof messageView>;

/** Input and output of one step, loaded when it is opened. */
export const stepDetail = z.object({
  step: stepRow,
  decisionId: id.nullable(),
  /** Model calls: the exact request, rebuilt from the messages it names. */
  request: z
    .object({
      model: z.string(),
      temperature: z.number().nullable(),
      messages: z.array(messageView),
      tools: z.array(toolSpec),
    })
    .nullable(),
  /** Model calls: what came back. */
  reply: messageView.nullable(),
  /** Tool calls: the arguments as the model wrote them, and the result it was given. */
  call: z.object({ name: z.string(), arguments: z.string(), result: z.string().nullable() }).nullable(),
  effect: z
    .object({
      key: z.string(),
      status: z.string(),
      honoursKey: z.boolean(),
      intendedAt: instant,
      settledAt: instant.nullable(),
    })
    .nullable(),
  humanRequest: requestView.nullable(),
});
export type StepDetail = z.infer<typeof stepDetail>;

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

export const followMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: runEvent }),
  z.object({ type: z.literal("delta"), delta: textDelta }),
  /** Something in the workspace changed: lists of that noun are worth reading again. */
  z.object({ type: z.literal("changed"), noun: z.enum(["runs", "requests"]), runId: id.nullable() }),
]);
export type FollowMessage = z.infer<typeof followMessage>;
