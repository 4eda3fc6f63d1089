import { addPiece, hasGap, joinSnapshot, type LiveText, textKey } from "@/components/runs/run-live-text";
import { isModelCall } from "@/components/runs/run-step-words";
import type { AgentRow, Mail, RequestView, RunEvent, StepRow, TaskRow, TextDelta } from "@/server/engine/events";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";

/** What the run page draws: a snapshot, moved on by events. Never changed in place. */
export type RunState = Omit<RunTree, "liveTexts"> & {
  texts: Readonly<Record<string, LiveText>>;
  /** Events that arrived before the one they follow. */
  early: readonly RunEvent[];
};

export function fromSnapshot(tree: RunTree): RunState {
  const { liveTexts, ...rest } = tree;
  const texts: Record<string, LiveText> = {};
  for (const { agentRunId, position, text } of liveTexts) texts[textKey(agentRunId, position)] = { text, early: [] };
  return { ...rest, texts, early: [] };
}

/** True when something in between is missing: the page then reads the snapshot again. */
export function isBehind(state: RunState): boolean {
  return state.early.length > 0 || Object.values(state.texts).some(hasGap);
}

/**
 * Takes a newer snapshot, keeping what arrived after it was read. An older one only fills gaps in streaming text; its limits
 * count all the same, since no event tells them.
 */
export function withSnapshot(state: RunState, tree: RunTree): RunState {
  const newer = tree.lastSeq >= state.lastSeq;
  const base = newer
    ? { ...fromSnapshot(tree), early: state.early }
    : { ...state, run: { ...state.run, limits: tree.run.limits } };
  const texts = { ...state.texts };
  for (const { agentRunId, position, text } of tree.liveTexts) {
    const key = textKey(agentRunId, position);
    texts[key] = joinSnapshot(texts[key], text);
  }
  return applyEvents({ ...base, texts: withoutEnded(base, texts) }, []);
}

/**
 * Applies events in order of `seq`: one that was applied before is ignored, one that comes too early waits.
 * The totals of the run and of the agent run follow from the steps.
 */
export function applyEvents(state: RunState, events: readonly RunEvent[]): RunState {
  const waiting = [...state.early, ...events]
    .filter((event) => event.runId === state.run.id && event.seq > state.lastSeq)
    .sort((a, b) => a.seq - b.seq);
  if (waiting.length === 0 && state.early.length === 0) return state;

  const draft = draftOf(state);
  let next = state.lastSeq + 1;
  const early: RunEvent[] = [];
  for (const event of waiting) {
    if (event.seq === next) {
      applyOne(draft, event);
      next += 1;
    } else if (event.seq > next) early.push(event);
  }
  return { ...stateOf(draft), lastSeq: next - 1, early };
}

/** Applies pieces of streaming text. Text of a step that is already recorded is dropped. */
export function applyDeltas(state: RunState, deltas: readonly TextDelta[]): RunState {
  const texts: Record<string, LiveText> = { ...state.texts };
  for (const delta of deltas) {
    if (delta.runId !== state.run.id) continue;
    const key = textKey(delta.agentRunId, delta.position);
    texts[key] = addPiece(texts[key], delta);
  }
  return { ...state, texts: withoutEnded(state, texts) };
}

type Reserved = RunState["run"]["reserved"];
type Draft = {
  state: RunState;
  run: RunState["run"];
  agents: Map<string, AgentRow>;
  steps: Map<string, StepRow>;
  decisions: Map<string, RunState["decisions"][number]>;
  requests: Map<string, RequestView>;
  tasks: Map<string, TaskRow>;
  mails: Map<string, Mail>;
  texts: Record<string, LiveText>;
};

function draftOf(state: RunState): Draft {
  return {
    state,
    run: { ...state.run },
    agents: new Map(state.agents.map((agent) => [agent.id, agent])),
    steps: new Map(state.steps.map((step) => [textKey(step.agentRunId, step.position), step])),
    decisions: new Map(state.decisions.map((decision) => [decision.id, decision])),
    requests: new Map(state.requests.map((request) => [request.id, request])),
    tasks: new Map(state.tasks.map((task) => [taskKey(task), task])),
    mails: new Map(state.mails.map((mail) => [mail.id, mail])),
    texts: { ...state.texts },
  };
}

const taskKey = ({ agentRunId, number }: Pick<TaskRow, "agentRunId" | "number">) => `${agentRunId}.${number}`;

function stateOf(draft: Draft): RunState {
  const agents = [...draft.agents.values()];
  const steps = [...draft.steps.values()];
  const requests = [...draft.requests.values()];
  return {
    ...draft.state,
    run: {
      ...draft.run,
      openRequests: requests.filter((request) => request.status === "open").length,
      agents: { total: agents.length, running: agents.filter((agent) => agent.status === "running").length },
    },
    agents,
    steps,
    decisions: [...draft.decisions.values()],
    requests,
    tasks: [...draft.tasks.values()],
    mails: [...draft.mails.values()],
    texts: withoutEnded({ agents, steps }, draft.texts),
  };
}

function applyOne(draft: Draft, event: RunEvent): void {
  const { body } = event;
  switch (body.kind) {
    case "agent.created":
      draft.agents.set(body.agent.id, body.agent);
      return;
    case "agent.status":
      changeAgent(draft, event.agentRunId, (agent) => ({
        ...agent,
        ...moved(agent, body.status, body.at),
        statusReason: body.reason,
        // Whoever takes up what was held begins its open steps anew and says so.
        openSteps: isTerminal(body.status) || isHeld(agent.status) ? [] : agent.openSteps,
      }));
      return;
    case "steps.started":
      changeAgent(draft, event.agentRunId, (agent) => {
        const begun = new Map(agent.openSteps.map((step) => [step.position, step]));
        for (const step of body.steps) {
          // Begun again after a crash: what had streamed before is void.
          if (begun.has(step.position)) delete draft.texts[textKey(agent.id, step.position)];
          begun.set(step.position, step);
        }
        return { ...agent, openSteps: [...begun.values()].sort((a, b) => a.position - b.position) };
      });
      return;
    case "step.finished":
      finishStep(draft, body.step);
      return;
    case "decision.made":
      draft.decisions.set(body.decision.id, body.decision);
      return;
    case "request.opened":
      draft.requests.set(body.request.id, body.request);
      return;
    case "request.closed": {
      const request = draft.requests.get(body.requestId);
      if (!request) return;
      const { status, answer, answeredBy, answeredByAgentId, at } = body;
      draft.requests.set(request.id, { ...request, status, answer, answeredBy, answeredByAgentId, answeredAt: at });
      return;
    }
    case "request.passed_on": {
      const request = draft.requests.get(body.requestId);
      const { deadlineAt } = body;
      if (request) draft.requests.set(request.id, { ...request, status: "open", escalatedUntil: null, deadlineAt });
      return;
    }
    case "request.moved": {
      const request = draft.requests.get(body.requestId);
      if (request) draft.requests.set(request.id, { ...request, deadlineAt: body.deadlineAt });
      return;
    }
    case "request.assigned": {
      const request = draft.requests.get(body.requestId);
      if (request) draft.requests.set(request.id, { ...request, assignee: body.assignee });
      return;
    }
    case "agent.todo":
      changeAgent(draft, event.agentRunId, (agent) => ({ ...agent, todo: body.todo }));
      return;
    case "agent.context":
      changeAgent(draft, event.agentRunId, (agent) => ({ ...agent, context: body.context }));
      return;
    // Shown where events are.
    case "agent.published":
      return;
    case "task.changed":
      draft.tasks.set(taskKey(body.task), body.task);
      return;
    case "mail.sent":
      draft.mails.set(body.mail.id, body.mail);
      return;
    case "mail.read":
      for (const id of body.mailIds) {
        const mail = draft.mails.get(id);
        if (mail) draft.mails.set(id, { ...mail, readAt: body.at });
      }
      return;
    case "run.status":
      draft.run = {
        ...draft.run,
        ...moved(draft.run, body.status, body.at),
        statusReason: body.reason,
        answer: body.answer ?? draft.run.answer,
      };
  }
}

function changeAgent(draft: Draft, id: string | null, change: (agent: AgentRow) => AgentRow): void {
  const agent = id === null ? undefined : draft.agents.get(id);
  if (agent) draft.agents.set(agent.id, change(agent));
}

function moved(row: { startedAt: string | null; finishedAt: string | null }, status: RunStatus, at: string) {
  return {
    status,
    startedAt: row.startedAt ?? (status === "running" ? at : null),
    finishedAt: isTerminal(status) ? at : null,
  };
}

function finishStep(draft: Draft, step: StepRow): void {
  const key = textKey(step.agentRunId, step.position);
  const before = draft.steps.get(key);
  draft.steps.set(key, step);
  const input = step.inputTokens - (before?.inputTokens ?? 0);
  const output = step.outputTokens - (before?.outputTokens ?? 0);
  const cost = (step.costNanoUsd ?? 0) - (before?.costNanoUsd ?? 0);
  const add = <T extends { inputTokens: number; outputTokens: number; costNanoUsd: number }>(row: T): T => ({
    ...row,
    inputTokens: row.inputTokens + input,
    outputTokens: row.outputTokens + output,
    costNanoUsd: row.costNanoUsd + cost,
  });
  changeAgent(draft, step.agentRunId, (agent) => ({
    ...add(agent),
    openSteps: agent.openSteps.filter((open) => open.position !== step.position),
  }));
  draft.run = add(draft.run);
  draft.run.reserved = withoutSpent(draft.run.reserved, { costNanoUsd: cost, tokens: input + output });
  draft.run.unpricedCalls += Number(isUnpriced(step)) - Number(before !== undefined && isUnpriced(before));
}

/** What was reserved for a call is at least what it cost: taken off until the next snapshot tells the rest, so that nothing counts twice. */
function withoutSpent({ costNanoUsd, tokens }: Reserved, spent: Reserved): Reserved {
  return {
    costNanoUsd: Math.max(0, costNanoUsd - spent.costNanoUsd),
    tokens: Math.max(0, tokens - spent.tokens),
  };
}

/** Whether the agent still reads what people say to it. An interrupted one has ended for whoever started it. */
export function isListening({ status }: Pick<AgentRow, "status">): boolean {
  return !isTerminal(status) && status !== "interrupted";
}

/** Whether a model answered in it. That is not only so of model calls: what a tool call returned may have been condensed. */
export function usedTokens({ inputTokens, outputTokens }: StepRow): boolean {
  return inputTokens + outputTokens > 0;
}

/**
 * What it cost nobody knows: its price was not stated, or its provider did not say what it used. A call that failed before it used anything
 * cost nothing, and one that was copied cost something elsewhere.
 */
export function isUnpriced(step: StepRow): boolean {
  const isAnswered = isModelCall(step.kind) && step.status === "completed" && !step.reused;
  return step.costNanoUsd === null && (isAnswered || usedTokens(step));
}

/** Text streams only while its step is open: what was recorded, or belongs to an agent run that ended, is dropped. */
function withoutEnded(
  state: Pick<RunState, "agents" | "steps">,
  texts: Readonly<Record<string, LiveText>>,
): Record<string, LiveText> {
  const keys = Object.keys(texts);
  if (keys.length === 0) return {};
  const ended = new Set(state.agents.filter((agent) => isTerminal(agent.status)).map((agent) => agent.id));
  const recorded = recordedKeys(state.steps);
  const kept = keys.filter((key) => !recorded.has(key) && !ended.has(key.slice(0, key.lastIndexOf("."))));
  return Object.fromEntries(kept.flatMap((key) => (texts[key] ? [[key, texts[key]]] : [])));
}

const keysOfSteps = new WeakMap<readonly StepRow[], ReadonlySet<string>>();

/** Kept for as long as the steps stay the same: text streams far more often than steps end. */
function recordedKeys(steps: readonly StepRow[]): ReadonlySet<string> {
  const known = keysOfSteps.get(steps);
  if (known) return known;
  const keys = new Set(steps.map((step) => textKey(step.agentRunId, step.position)));
  keysOfSteps.set(steps, keys);
  return keys;
}
