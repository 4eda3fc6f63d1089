import { z } from "zod";
import { publishedData } from "./published-event";
import { runContext } from "./run-context";
import { RUN_STATUSES } from "./state";

/** What an event of a kind says. Everything live on a screen is drawn from these, in order of `seq`. */

/** `summary` is a model call of the engine's own: it condenses. */
export const STEP_KINDS = ["model", "tool", "retrieval", "human", "summary"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** What a person may change at the step a fork begins at: the reply, a call's result, what a person answered, what the agent is told first, which model answers. */
export const EDITS = ["reply", "result", "answer", "instructions", "model"] as const;

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
  "handoff",
  "tool_choice",
  "finish",
  "retry",
  "limit",
  "answer",
  "uncertain_effect",
  "approval",
  "stop",
  "pause",
  "resume",
  "steer",
  "budget",
  "takeover",
  "guard",
  "continue",
  "summary",
  "compaction",
  "dispatch",
  "escalation",
  "cache_hit",
  "refusal",
  "fork",
  "fallback",
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

export const stepError = z.object({
  code: z.string(),
  message: z.string(),
  /** What it is by the catalogue of errors (AGT-ERR-01); events from before there was one do not say. */
  stableCode: z.string().optional(),
  category: z.string().optional(),
  retryable: z.boolean().optional(),
  /** "provider/model" that is asked instead. */
  standIn: z.string().optional(),
});
export type StepError = z.infer<typeof stepError>;

/** What a step that was copied used in the run it was made in. As stored it also has the record of a model call, see CALL_JSON. */
export const stepReused = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  costNanoUsd: z.int().nullable(),
});

export const stepRow = z.object({
  agentRunId: id,
  position: z.int(),
  turn: z.int(),
  kind: z.enum(STEP_KINDS),
  name: z.string(),
  status: z.enum(STEP_STATUSES),
  error: stepError.nullable(),
  startedAt: instant,
  finishedAt: instant,
  inputTokens: z.int(),
  outputTokens: z.int(),
  /** Null: not a model call, or its price is unknown. */
  costNanoUsd: z.int().nullable(),
  inputBytes: z.int(),
  outputBytes: z.int(),
  /** Copied from another run, where it used this; its own figures above are nothing. Absent: made in this run. */
  reused: stepReused.optional(),
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

export const REQUEST_KINDS = ["question", "approval", "uncertain_effect", "loop", "budget"] as const;
/** `escalated`: asked of the agents above, and not yet of people. */
export const REQUEST_STATUSES = ["escalated", "open", "answered", "expired", "withdrawn"] as const;

export const requestOption = z.object({ value: z.string(), label: z.string(), description: z.string().optional() });
export type RequestOption = z.infer<typeof requestOption>;

/** What a person may answer: one option or words of their own; yes or no; any number of options, none included. */
const ANSWER_KINDS = ["choice", "confirm", "several"] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** A list where several options may be ticked, and only there. */
export const requestAnswer = z.union([z.string(), z.array(z.string())]);
export type Answer = z.infer<typeof requestAnswer>;

export const requestView = z.object({
  id,
  runId: id,
  agentRunId: id,
  agentName: z.string(),
  position: z.int(),
  kind: z.enum(REQUEST_KINDS),
  prompt: z.string(),
  options: z.array(requestOption),
  /** Events from before there was another kind do not say. */
  answerKind: z.enum(ANSWER_KINDS).default("choice"),
  /** For an approval and an uncertain effect: the exact call. */
  call: z.object({ tool: z.string(), arguments: z.string() }).nullable(),
  deadlineAt: instant.nullable(),
  defaultAnswer: requestAnswer.nullable(),
  status: z.enum(REQUEST_STATUSES),
  answer: requestAnswer.nullable(),
  /** Name of the person, or of the agent above. */
  answeredBy: z.string().nullable(),
  answeredByAgentId: id.nullable().default(null),
  answeredAt: instant.nullable(),
  /** When an escalated one is passed on to people. */
  escalatedUntil: instant.nullable().default(null),
  /** The person who is to answer; anybody who may answer still can. */
  assignee: z.object({ id, name: z.string() }).nullable().default(null),
  createdAt: instant,
});
export type RequestView = z.infer<typeof requestView>;

/** An agent's checklist (LOK-TODO-05). */
export const todo = z.object({
  goal: z.string(),
  items: z.array(z.object({ id: z.int(), text: z.string(), done: z.boolean() })),
  /** How often it was sent on by itself since the list was made. */
  continues: z.int(),
});
export type Todo = z.infer<typeof todo>;

export const TASK_STATUSES = ["pending", "blocked", "in_progress", "completed", "failed"] as const;
/** One entry of a supervisor's queue (LOK-TSK-03). */
export const task = z.object({
  number: z.int(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(TASK_STATUSES),
  /** Numbers of the tasks it waits for, as they were given. */
  blockedBy: z.array(z.int()),
  /** Who carries it out, with which prompt, once it is released; null: whoever is given it. */
  agent: z.string().nullable(),
  prompt: z.string().nullable(),
  /** The agent run that works on it. */
  childId: id.nullable(),
  /** That agent run was started by the queue. */
  isAutomatic: z.boolean(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type Task = z.infer<typeof task>;
/** A task, and whose queue it is in. */
export const taskRow = task.extend({ agentRunId: id });
export type TaskRow = z.infer<typeof taskRow>;

/** `task_completed` comes from the queue of tasks when an agent's work on a task has ended, however it ended. */
export const MAIL_KINDS = ["text", "task_completed"] as const;
/** A letter from one agent run to another (LOK-MSG-04). */
export const mail = z.object({
  id,
  fromId: id,
  toId: id,
  kind: z.enum(MAIL_KINDS),
  text: z.string(),
  sentAt: instant,
  readAt: instant.nullable(),
});
export type Mail = z.infer<typeof mail>;

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
  todo: todo.nullable().default(null),
  /** What it is about; null: nothing is noted. */
  context: runContext.nullable().default(null),
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
    answer: requestAnswer.nullable(),
    answeredBy: z.string().nullable(),
    answeredByAgentId: id.nullable().default(null),
    at: instant,
  }),
  /** No agent above answered in time, or one left it to people. */
  z.object({
    kind: z.literal("request.passed_on"),
    requestId: id,
    /** Until when people may answer. */
    deadlineAt: instant.nullable().default(null),
    at: instant,
  }),
  /** A held run goes on, and what is left of the time to answer with it. */
  z.object({ kind: z.literal("request.moved"), requestId: id, deadlineAt: instant }),
  /** Somebody is to answer it, or nobody in particular any more. */
  z.object({
    kind: z.literal("request.assigned"),
    requestId: id,
    assignee: requestView.shape.assignee,
    /** Name of the person who assigned it. */
    by: z.string(),
    at: instant,
  }),
  /** The whole list, as it now is. */
  z.object({ kind: z.literal("agent.todo"), todo: todo.nullable() }),
  /** The whole context, as it now is. Right after its creation: what the agent run begins with. */
  z.object({ kind: z.literal("agent.context"), context: runContext.nullable() }),
  /** An event of the agent's own; null: no data. Nothing of the run follows from it. */
  z.object({ kind: z.literal("agent.published"), name: z.string(), data: publishedData.nullable(), at: instant }),
  /** A task of this agent run's queue is new or has changed. */
  z.object({ kind: z.literal("task.changed"), task: taskRow }),
  z.object({ kind: z.literal("mail.sent"), mail }),
  z.object({ kind: z.literal("mail.read"), mailIds: z.array(id), at: instant }),
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

/**
 * Whether what an event says is words of people and agents alone, and so the same in a copy of its run: an id in it is one that they wrote,
 * also where something in the run bears it.
 */
export const isInTheirWords = (kind: string) => kind === "agent.context" || kind === "agent.published";

/** An event as it is stored. Agent runs, steps and decisions are rows of their own: the event only names them, and who reads it is given the row. */
export type StoredEventBody =
  | Exclude<RunEventBody, { kind: "agent.created" | "step.finished" | "decision.made" }>
  | { kind: "agent.created"; agent: Pick<AgentRow, "id" | "createdAt"> }
  | { kind: "step.finished"; position: number }
  | { kind: "decision.made"; id: string };

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
