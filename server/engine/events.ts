import { z } from "zod";
import { RUN_STATUSES } from "./state";

/** What an event of a kind says. Everything live on a screen is drawn from these, in order of `seq`. */

export const STEP_KINDS = ["model", "tool", "human"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const STEP_STATUSES = ["completed", "failed", "aborted"] as const;

export const REASON_SOURCES = [
  "model-stated",
  "provider-reasoning",
  "policy",
  "runtime-rule",
  "human",
  "not-stated",
] as const;
export type ReasonSource = (typeof REASON_SOURCES)[number];

export const DECISION_KINDS = [
  "delegate",
  "tool_choice",
  "finish",
  "retry",
  "limit",
  "answer",
  "uncertain_effect",
  "stop",
  "takeover",
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

const id = z.uuid();
const instant = z.iso.datetime();
const runStatus = z.enum(RUN_STATUSES);

export const openStep = z.object({
  position: z.int(),
  turn: z.int(),
  kind: z.enum(STEP_KINDS),
  name: z.string(),
  startedAt: instant,
});
export type OpenStep = z.infer<typeof openStep>;

export const stepRow = z.object({
  agentRunId: id,
  position: z.int(),
  turn: z.int(),
  kind: z.enum(STEP_KINDS),
  name: z.string(),
  status: z.enum(STEP_STATUSES),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  startedAt: instant,
  finishedAt: instant,
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Null: not a model call, or its price is unknown. */
  costNanoUsd: z.int().nullable(),
  inputBytes: z.int(),
  outputBytes: z.int(),
});
export type StepRow = z.infer<typeof stepRow>;

export const chosenOption = z.object({
  /** Key of the option among those offered: a tool name, or `agent:<name>`. */
  option: z.string(),
  label: z.string(),
  /** The step that carries it out; null where no step does. */
  position: z.int().nullable(),
  reason: z.string().nullable(),
});
export type ChosenOption = z.infer<typeof chosenOption>;

export const decisionRow = z.object({
  id,
  agentRunId: id,
  position: z.int(),
  ordinal: z.int(),
  kind: z.enum(DECISION_KINDS),
  chosen: z.array(chosenOption),
  reason: z.string().nullable(),
  source: z.enum(REASON_SOURCES),
  costSoFarNanoUsd: z.int(),
  at: instant,
});
export type DecisionRow = z.infer<typeof decisionRow>;

export const REQUEST_KINDS = ["question", "uncertain_effect"] as const;
export const REQUEST_STATUSES = ["open", "answered", "expired", "withdrawn"] as const;

export const requestOption = z.object({ value: z.string(), label: z.string(), description: z.string().optional() });

export const requestView = z.object({
  id,
  runId: id,
  agentRunId: id,
  agentName: z.string(),
  position: z.int(),
  kind: z.enum(REQUEST_KINDS),
  prompt: z.string(),
  options: z.array(requestOption),
  /** For an uncertain effect: the exact call. */
  call: z.object({ tool: z.string(), arguments: z.string() }).nullable(),
  deadlineAt: instant.nullable(),
  defaultAnswer: z.string().nullable(),
  status: z.enum(REQUEST_STATUSES),
  answer: z.string().nullable(),
  answeredBy: z.string().nullable(),
  answeredAt: instant.nullable(),
  createdAt: instant,
});
export type RequestView = z.infer<typeof requestView>;

export const agentRow = z.object({
  id,
  parentId: id.nullable(),
  spawnedById: id.nullable(),
  handle: z.string(),
  name: z.string(),
  depth: z.int(),
  task: z.string(),
  status: runStatus,
  statusReason: z.string().nullable(),
  openSteps: z.array(openStep),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costNanoUsd: z.int(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type AgentRow = z.infer<typeof agentRow>;

/** Kinds and their bodies. Agent events name their agent run in `agentRunId` of the event itself. */
export const runEventBody = z.discriminatedUnion("kind", [
  /** A new node of the tree. */
  z.object({ kind: z.literal("agent.created"), agent: agentRow }),
  z.object({
    kind: z.literal("agent.status"),
    status: runStatus,
    reason: z.string().nullable(),
    at: instant,
  }),
  /** Steps that have begun; a worker that resumes after a crash begins them again, so apply by position. */
  z.object({ kind: z.literal("steps.started"), steps: z.array(openStep) }),
  z.object({ kind: z.literal("step.finished"), step: stepRow }),
  z.object({ kind: z.literal("decision.made"), decision: decisionRow }),
  z.object({ kind: z.literal("request.opened"), request: requestView }),
  z.object({
    kind: z.literal("request.closed"),
    requestId: id,
    status: z.enum(REQUEST_STATUSES),
    answer: z.string().nullable(),
    answeredBy: z.string().nullable(),
    at: instant,
  }),
  /** The run itself moved. `answer` is set once, when it completes. */
  z.object({
    kind: z.literal("run.status"),
    status: runStatus,
    reason: z.string().nullable(),
    answer: z.string().nullable(),
    at: instant,
  }),
]);
export type RunEventBody = z.infer<typeof runEventBody>;
export type RunEventKind = RunEventBody["kind"];

export const runEvent = z.object({
  runId: id,
  seq: z.int(),
  agentRunId: id.nullable(),
  at: instant,
  body: runEventBody,
});
export type RunEvent = z.infer<typeof runEvent>;

/** A piece of a reply that is still streaming. Not an event: it has no seq, and a gap in `offset` means "read again". */
export const textDelta = z.object({
  runId: id,
  agentRunId: id,
  position: z.int(),
  /** UTF-16 units of the step's text before this piece. */
  offset: z.int(),
  text: z.string(),
});
export type TextDelta = z.infer<typeof textDelta>;
