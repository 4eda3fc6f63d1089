import type {
  AgentRow,
  DecisionRow,
  Mail,
  OpenStep,
  RequestView,
  RunEvent,
  RunEventBody,
  StepRow,
  TaskRow,
} from "@/server/engine/events";
import type { RunTree } from "@/server/runs/schema";

/** Builds run logs for tests: ids from small numbers, times in seconds after noon. */
export const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
export const RUN_ID = uuid(1);
const NOON_MS = Date.UTC(2026, 10, 21, 12);
export const at = (seconds: number) => new Date(NOON_MS + seconds * 1000).toISOString();
export const atMs = (seconds: number) => NOON_MS + seconds * 1000;

export function agentRow(id: string, over: Partial<AgentRow> = {}): AgentRow {
  return {
    id,
    parentId: null,
    spawnedById: null,
    handle: `agent_${id.slice(-4)}`,
    name: "Lead",
    depth: 0,
    task: "Do the work",
    status: "queued",
    statusReason: null,
    openSteps: [],
    todo: null,
    context: null,
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    createdAt: at(0),
    startedAt: null,
    finishedAt: null,
    ...over,
  };
}

export function openStep(position: number, over: Partial<OpenStep> = {}): OpenStep {
  return { position, turn: 1, kind: "model", name: "rehearsal", startedAt: at(position), ...over };
}

export function stepRow(agentRunId: string, position: number, over: Partial<StepRow> = {}): StepRow {
  return {
    agentRunId,
    position,
    turn: 1,
    kind: "model",
    name: "rehearsal",
    status: "completed",
    error: null,
    startedAt: at(position),
    finishedAt: at(position + 1),
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: null,
    inputBytes: 0,
    outputBytes: 0,
    ...over,
  };
}

export function decisionRow(id: string, agentRunId: string, over: Partial<DecisionRow> = {}): DecisionRow {
  return {
    id,
    agentRunId,
    position: 0,
    ordinal: 0,
    kind: "delegate",
    chosen: [],
    reason: null,
    source: "model-stated",
    costSoFarNanoUsd: 0,
    at: at(1),
    ...over,
  };
}

export function requestView(id: string, agentRunId: string, over: Partial<RequestView> = {}): RequestView {
  return {
    id,
    runId: RUN_ID,
    agentRunId,
    agentName: "Lead",
    position: 1,
    kind: "question",
    prompt: "Short or detailed?",
    options: [{ value: "short", label: "Short" }],
    answerKind: "choice",
    call: null,
    deadlineAt: null,
    defaultAnswer: null,
    status: "open",
    answer: null,
    answeredBy: null,
    answeredByAgentId: null,
    escalatedUntil: null,
    assignee: null,
    answeredAt: null,
    createdAt: at(2),
    ...over,
  };
}

export function taskRow(agentRunId: string, number: number, over: Partial<TaskRow> = {}): TaskRow {
  return {
    agentRunId,
    number,
    subject: `Task ${number}`,
    description: "",
    status: "pending",
    blockedBy: [],
    agent: null,
    prompt: null,
    childId: null,
    isAutomatic: false,
    createdAt: at(1),
    finishedAt: null,
    ...over,
  };
}

export function mailView(id: string, fromId: string, toId: string, over: Partial<Mail> = {}): Mail {
  return { id, fromId, toId, kind: "text", text: "Look at page 4.", sentAt: at(1), readAt: null, ...over };
}

export function treeOf(parts: Partial<RunTree> = {}): RunTree {
  return {
    run: {
      id: RUN_ID,
      title: "A run",
      status: "queued",
      statusReason: null,
      target: { kind: "team", id: uuid(2), name: "Team", version: 1 },
      conversationId: null,
      model: "rehearsal",
      startedBy: null,
      openRequests: 0,
      agents: { total: 0, running: 0 },
      doing: null,
      inputTokens: 0,
      outputTokens: 0,
      costNanoUsd: 0,
      unpricedCalls: 0,
      createdAt: at(0),
      startedAt: null,
      finishedAt: null,
      input: "Do the work",
      answer: null,
      limits: {
        maxCostNanoUsd: null,
        maxTokens: null,
        askAtRatio: null,
        maxActiveMs: 28_800_000,
        stuckAfterMs: 600_000,
      },
      reserved: { costNanoUsd: 0, tokens: 0 },
      rerunOf: null,
      reruns: [],
      isFork: false,
      imported: null,
      tags: [],
      archived: null,
      forkOf: null,
      forks: [],
      citations: [],
    },
    agents: [],
    steps: [],
    decisions: [],
    requests: [],
    tasks: [],
    mails: [],
    liveTexts: [],
    lastSeq: 0,
    ...parts,
  };
}

/** Numbers bodies from `first`, as the database does. */
export function eventsOf(bodies: readonly [agentRunId: string | null, body: RunEventBody][], first = 1): RunEvent[] {
  return bodies.map(([agentRunId, body], i) => ({ runId: RUN_ID, seq: first + i, agentRunId, at: at(i), body }));
}
