import { expect } from "vitest";
import type {
  AgentRow,
  DecisionRow,
  Mail,
  OpenStep,
  RequestView,
  RunEvent,
  StepRow,
  TaskRow,
} from "@/server/engine/events";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";

type FoldedRun = {
  status: RunStatus;
  answer: string | null;
  agents: Map<string, AgentRow>;
  steps: Map<string, StepRow>;
  decisions: Map<string, DecisionRow>;
  requests: Map<string, RequestView>;
  tasks: Map<string, TaskRow>;
  mails: Map<string, Mail>;
};

/** The rows of a tree must say exactly what the events up to its last seq say. */
export function expectRowsToSay(tree: RunTree, events: readonly RunEvent[]): void {
  const told = foldEvents(events);
  const byKey = <T>(rows: readonly T[], key: (row: T) => string) => new Map(rows.map((row) => [key(row), row]));
  expect(tree.lastSeq).toBe(events.length);
  expect(tree.run.status).toBe(told.status);
  expect(tree.run.answer).toBe(told.answer);
  expect(byKey(tree.agents, ({ id }) => id)).toEqual(told.agents);
  expect(byKey(tree.steps, ({ agentRunId, position }) => `${agentRunId}:${position}`)).toEqual(told.steps);
  expect(byKey(tree.decisions, ({ id }) => id)).toEqual(told.decisions);
  expect(byKey(tree.requests, ({ id }) => id)).toEqual(told.requests);
  expect(byKey(tree.tasks, ({ agentRunId, number }) => `${agentRunId}:${number}`)).toEqual(told.tasks);
  expect(byKey(tree.mails, ({ id }) => id)).toEqual(told.mails);
}

/** What the events of a run say about it, applied one after the other. */
function foldEvents(events: readonly RunEvent[]): FoldedRun {
  const run: FoldedRun = {
    status: "queued",
    answer: null,
    agents: new Map(),
    steps: new Map(),
    decisions: new Map(),
    requests: new Map(),
    tasks: new Map(),
    mails: new Map(),
  };
  for (const event of events) apply(run, event);
  return run;
}

function apply(run: FoldedRun, { agentRunId, body }: RunEvent): void {
  const agent = agentRunId ? run.agents.get(agentRunId) : undefined;
  switch (body.kind) {
    case "agent.created":
      run.agents.set(body.agent.id, structuredClone(body.agent));
      return;
    case "agent.status":
      if (!agent) throw new Error("A status of an agent nobody created.");
      // Whoever takes up what was held begins its open steps anew.
      if (isHeld(agent.status)) agent.openSteps = [];
      agent.status = body.status;
      agent.statusReason = body.reason;
      if (body.status === "running") agent.startedAt ??= body.at;
      if (isTerminal(body.status)) agent.finishedAt = body.at;
      return;
    case "steps.started":
      if (agent) agent.openSteps = [...agent.openSteps.filter(notAmong(body.steps)), ...body.steps];
      return;
    case "step.finished":
      run.steps.set(`${body.step.agentRunId}:${body.step.position}`, body.step);
      if (!agent) throw new Error("A step of an agent nobody created.");
      agent.openSteps = agent.openSteps.filter(notAmong([body.step]));
      agent.inputTokens += body.step.inputTokens;
      agent.outputTokens += body.step.outputTokens;
      agent.costNanoUsd += body.step.costNanoUsd ?? 0;
      return;
    case "decision.made":
      run.decisions.set(body.decision.id, body.decision);
      return;
    case "request.opened":
      run.requests.set(body.request.id, structuredClone(body.request));
      return;
    case "request.closed": {
      const request = run.requests.get(body.requestId);
      if (!request) throw new Error("A request closed that was never opened.");
      const { status, answer, answeredBy, answeredByAgentId, at } = body;
      Object.assign(request, { status, answer, answeredBy, answeredByAgentId, answeredAt: at });
      return;
    }
    case "request.passed_on": {
      const request = run.requests.get(body.requestId);
      if (!request) throw new Error("A request passed on that was never opened.");
      request.status = "open";
      request.escalatedUntil = null;
      request.deadlineAt = body.deadlineAt;
      return;
    }
    case "request.moved": {
      const request = run.requests.get(body.requestId);
      if (!request) throw new Error("A deadline moved of a request that was never opened.");
      request.deadlineAt = body.deadlineAt;
      return;
    }
    case "request.assigned": {
      const request = run.requests.get(body.requestId);
      if (!request) throw new Error("A request assigned that was never opened.");
      request.assignee = body.assignee;
      return;
    }
    case "agent.todo":
      if (agent) agent.todo = body.todo;
      return;
    case "agent.context":
      if (agent) agent.context = body.context;
      return;
    case "agent.published":
      return;
    case "task.changed":
      run.tasks.set(`${body.task.agentRunId}:${body.task.number}`, body.task);
      return;
    case "mail.sent":
      run.mails.set(body.mail.id, structuredClone(body.mail));
      return;
    case "mail.read":
      for (const id of body.mailIds) {
        const mail = run.mails.get(id);
        if (!mail) throw new Error("A mail read that was never sent.");
        mail.readAt = body.at;
      }
      return;
    case "run.status":
      run.status = body.status;
      run.answer = body.answer ?? run.answer;
      return;
  }
}

function notAmong(steps: readonly { position: number }[]) {
  return (open: OpenStep) => !steps.some((step) => step.position === open.position);
}
