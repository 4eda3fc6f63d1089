import { expect } from "vitest";
import type { AgentRow, DecisionRow, OpenStep, RequestView, RunEvent, StepRow } from "@/server/engine/events";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";

type FoldedRun = {
  status: RunStatus;
  answer: string | null;
  agents: Map<string, AgentRow>;
  steps: Map<string, StepRow>;
  decisions: Map<string, DecisionRow>;
  requests: Map<string, RequestView>;
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
      const { status, answer, answeredBy, at } = body;
      Object.assign(request, { status, answer, answeredBy, answeredAt: at });
      return;
    }
    case "run.status":
      run.status = body.status;
      run.answer = body.answer ?? run.answer;
      return;
  }
}

function notAmong(steps: readonly { position: number }[]) {
  return (open: OpenStep) => !steps.some((step) => step.position === open.position);
}
