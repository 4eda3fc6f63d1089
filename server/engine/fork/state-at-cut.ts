import type { OpenStep, StoredEventBody, TaskRow, Todo } from "../events";
import type { RunContext } from "../run-context";
import { isHeld, isTerminal, type RunStatus } from "../state";

type AgentAtCut = {
  status: RunStatus;
  reason: string | null;
  hasStarted: boolean;
  openSteps: OpenStep[];
  todo: Todo | null;
  context: RunContext | null;
};
type RequestAtCut = {
  status: string;
  deadlineAt: string | null;
  escalatedUntil: string | null;
  assigneeId: string | null;
};

/** What was so just before an event of a run, told by the events up to it: of all that is changed later on. */
export class StateAtCut {
  readonly agents = new Map<string, AgentAtCut>();
  readonly requests = new Map<string, RequestAtCut>();
  readonly tasks = new Map<string, TaskRow>();
  readonly readMails = new Set<string>();
  status: RunStatus = "queued";
  reason: string | null = null;
  /** Since when the run was held; null while it was not. */
  heldAt: string | null = null;

  apply(agentRunId: string | null, body: StoredEventBody): void {
    const agent = agentRunId === null ? undefined : this.agents.get(agentRunId);
    switch (body.kind) {
      case "agent.created":
        this.agents.set(body.agent.id, {
          status: "queued",
          reason: null,
          hasStarted: false,
          openSteps: [],
          todo: null,
          context: null,
        });
        return;
      case "agent.status":
        if (!agent) return;
        // Whoever takes up what was held begins its open steps anew.
        if (isHeld(agent.status)) agent.openSteps = [];
        agent.status = body.status;
        agent.reason = body.reason;
        if (body.status === "running") agent.hasStarted = true;
        return;
      case "steps.started":
        if (agent) agent.openSteps = [...without(agent.openSteps, body.steps), ...body.steps];
        return;
      case "step.finished":
        if (agent) agent.openSteps = without(agent.openSteps, [body]);
        return;
      case "agent.todo":
        if (agent) agent.todo = body.todo;
        return;
      case "agent.context":
        if (agent) agent.context = body.context;
        return;
      case "request.opened": {
        const { status, deadlineAt, escalatedUntil } = body.request;
        this.requests.set(body.request.id, {
          ...{ status, deadlineAt, escalatedUntil: escalatedUntil ?? null },
          assigneeId: body.request.assignee?.id ?? null,
        });
        return;
      }
      case "request.closed":
        this.change(body.requestId, { status: body.status });
        return;
      case "request.passed_on":
        this.change(body.requestId, { status: "open", escalatedUntil: null, deadlineAt: body.deadlineAt ?? null });
        return;
      case "request.moved":
        this.change(body.requestId, { deadlineAt: body.deadlineAt });
        return;
      case "request.assigned":
        this.change(body.requestId, { assigneeId: body.assignee?.id ?? null });
        return;
      case "task.changed":
        this.tasks.set(`${body.task.agentRunId}:${body.task.number}`, body.task);
        return;
      case "mail.read":
        for (const id of body.mailIds) this.readMails.add(id);
        return;
      case "run.status":
        this.heldAt = isHeld(body.status) ? (this.heldAt ?? body.at) : null;
        this.status = body.status;
        this.reason = body.reason;
        return;
      // Nothing that changes later on.
      case "agent.published":
      case "decision.made":
      case "mail.sent":
        return;
      default:
        body satisfies never;
    }
  }

  /** Whether an agent run goes on in a fork: it had not ended, and its parent had not been told that it was interrupted. */
  goesOn(agentRunId: string, isRoot: boolean): boolean {
    const status = this.agents.get(agentRunId)?.status ?? "queued";
    return !isTerminal(status) && (status !== "interrupted" || isRoot);
  }

  private change(id: string, now: Partial<RequestAtCut>): void {
    const request = this.requests.get(id);
    if (request) Object.assign(request, now);
  }
}

function without(open: readonly OpenStep[], steps: readonly { position: number }[]): OpenStep[] {
  return open.filter(({ position }) => !steps.some((step) => step.position === position));
}
