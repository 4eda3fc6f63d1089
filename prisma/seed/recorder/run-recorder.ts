import { v7 as uuidv7 } from "uuid";
import type {
  AgentRow,
  ChosenOption,
  DecisionKind,
  ReasonSource,
  RequestView,
  StepError,
  StepKind,
  StepRow,
  StoredEventBody,
} from "@/server/engine/events";
import { deriveId, handleOf, hashOf } from "@/server/engine/ids";
import { queuedAgent } from "@/server/engine/queued-agent";
import { detailsOf, type ErrorFacts, keptClass } from "@/server/engine/resilience/error-catalog";
import type { ErrorDetails } from "@/server/engine/resilience/error-details";
import type { RunContext } from "@/server/engine/run-context";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import type { ScoredPassage } from "@/server/knowledge/schema";
import type { ModelMessage, ReplyFacts, ToolCall, ToolSpec } from "@/server/models/model";
import type { OfferedOption } from "@/server/runs/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { bytesOf, type RecordedEvent, RecordedRows, type Row } from "./rows";

const TOKENS_PER_MTOK = 1_000_000;

/** Where an agent works: at a node of a team, or by itself. */
export type RecordedPlace = { agentVersionId: string; teamNodeId: string | null; name: string };

export type RecordedHead = {
  id?: string;
  workspaceId: WorkspaceId;
  /** Exactly one of the two. */
  team: { teamId: string; teamVersionId: string } | null;
  agentVersionId: string | null;
  conversationId?: string | null;
  title: string;
  input: string;
  /** "provider/model", and nano-USD a token. */
  model: {
    ref: string;
    provider: string;
    name: string;
    inputNanoUsd: number;
    outputNanoUsd: number;
    temperature?: number;
  };
  startedById: string | null;
  createdAt: Date;
  /** How much of a large value goes into one part; as much as in earnest unless given. */
  partCharacters?: number;
};

export type RecordedAgent = AgentRow & {
  place: RecordedPlace;
  turn: number;
  next: number;
  messages: ModelMessage[];
  result: string | null;
  isCollected: boolean;
};
export type OpenedStep = {
  agent: RecordedAgent;
  position: number;
  turn: number;
  kind: StepKind;
  name: string;
  startedAt: Date;
};
type Usage = { inputTokens: number; outputTokens: number };
type Choice = {
  kind: DecisionKind;
  chosen: ChosenOption[];
  offered: readonly OfferedOption[];
  reason: string | null;
  source: ReasonSource;
  ordinal?: number;
};
/** What failed, and what was told of it beside its code. */
type RecordedError = { code: string; message: string; facts?: ErrorFacts };
type Asked = Pick<RequestView, "prompt" | "options"> & Partial<Pick<RequestView, "kind" | "call">>;

/**
 * Writes a run down the way the engine would, against a clock of its own: every change is an event and a row, ids are derived
 * as the engine derives them, totals are added up from the steps. Agents at work at the same time may be written one after
 * the other: set the clock back, and `storeRuns` puts the events in the order of their times.
 */
export class RunRecorder {
  readonly id: string;
  readonly rows: RecordedRows;
  readonly agents: RecordedAgent[] = [];
  status: { status: RunStatus; reason: string | null; answer: string | null };
  startedAt: Date | null = null;
  finishedAt: Date | null = null;
  /** How long it was at work: waits are not in it. */
  activeMs = 0;
  private atWorkSince: Date | null = null;
  now: Date;
  private readonly ordinals = new Map<string, number>();
  private readonly requests = new Map<string, { row: Row; agent: RecordedAgent }>();

  constructor(readonly head: RecordedHead) {
    this.id = head.id ?? uuidv7();
    this.rows = new RecordedRows(head.workspaceId, head.partCharacters);
    this.now = head.createdAt;
    this.status = { status: "queued", reason: null, answer: null };
    this.emit(null, { kind: "run.status", status: "queued", reason: null, answer: null, at: this.now.toISOString() });
  }

  wait(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  agent(
    place: RecordedPlace,
    task: string,
    instructions: string,
    from?: { parent: RecordedAgent; decisionId: string; position: number },
    history: readonly ModelMessage[] = [],
  ): RecordedAgent {
    const id = from ? deriveId(from.parent.id, `child ${from.position}`) : deriveId(this.id, "root");
    const agent: RecordedAgent = {
      ...queuedAgent({
        ...{ id, task, parentId: from?.parent.id ?? null, spawnedById: from?.decisionId ?? null },
        ...{ handle: handleOf(id, place.name), name: place.name, depth: from ? from.parent.depth + 1 : 0 },
        createdAt: this.now.toISOString(),
      }),
      ...{ place, task, turn: 0, next: 0, messages: [], result: null, isCollected: false },
    };
    this.agents.push(agent);
    this.emit(agent, { kind: "agent.created", agent: { id, createdAt: agent.createdAt } });
    if (from?.parent.context) this.note(agent, from.parent.context);
    this.say(agent, { role: "system", content: instructions });
    for (const message of history) this.say(agent, message);
    this.say(agent, { role: "user", content: task });
    return agent;
  }

  /** What an agent run is about, from now on. */
  note(agent: RecordedAgent, context: RunContext): void {
    agent.context = context;
    this.emit(agent, { kind: "agent.context", context });
  }

  move(agent: RecordedAgent, status: RunStatus, reason: string | null = null): void {
    agent.status = status;
    agent.statusReason = reason;
    if (status === "running") agent.startedAt ??= this.now.toISOString();
    if (isTerminal(status)) agent.finishedAt = this.now.toISOString();
    this.emit(agent, { kind: "agent.status", status, reason, at: this.now.toISOString() });
  }

  moveRun(status: RunStatus, reason: string | null = null, answer: string | null = null): void {
    this.status = { status, reason, answer };
    this.activeMs += this.atWorkSince ? this.now.getTime() - this.atWorkSince.getTime() : 0;
    this.atWorkSince = status === "running" ? this.now : null;
    if (status === "running") this.startedAt ??= this.now;
    if (isTerminal(status)) this.finishedAt = this.now;
    this.emit(null, { kind: "run.status", status, reason, answer, at: this.now.toISOString() });
  }

  /** Begins steps of one turn; a model call begins a new turn. */
  begin(agent: RecordedAgent, ...begun: { kind: StepKind; name: string }[]): OpenedStep[] {
    if (begun[0]?.kind === "model") agent.turn += 1;
    const { turn } = agent;
    const opened = begun.map((step) => ({ agent, ...step, turn, position: agent.next++, startedAt: this.now }));
    const steps = opened.map(({ agent: _, startedAt, ...step }) => ({ ...step, startedAt: startedAt.toISOString() }));
    agent.openSteps.push(...steps);
    this.emit(agent, { kind: "steps.started", steps });
    return opened;
  }

  /** As `begin`, for one step. */
  beginOne(agent: RecordedAgent, kind: StepKind, name: string): OpenedStep {
    const [opened] = this.begin(agent, { kind, name });
    if (!opened) throw new Error("Nothing began.");
    return opened;
  }

  /** A model call was answered. */
  reply(
    step: OpenedStep,
    said: { text: string | null; calls?: ToolCall[]; usage: Usage; told?: ReplyFacts },
    tools: readonly ToolSpec[],
  ): void {
    const { agent } = step;
    const { model } = this.head;
    const sent = agent.messages.length;
    const reply: ModelMessage = { role: "assistant", content: said.text, calls: said.calls ?? [] };
    this.say(agent, { ...reply, ...(said.told ? { told: said.told } : {}) });
    const { inputTokens, outputTokens } = said.usage;
    const costNanoUsd = inputTokens * model.inputNanoUsd + outputTokens * model.outputNanoUsd;
    agent.inputTokens += inputTokens;
    agent.outputTokens += outputTokens;
    agent.costNanoUsd += costNanoUsd;
    this.rows.add("usages", {
      ...this.keys(agent),
      ...{ position: step.position, provider: model.provider, model: model.name },
      ...{ input_tokens: inputTokens, cached_tokens: 0, output_tokens: outputTokens, cost_nano_usd: costNanoUsd },
      ...{ input_rate: model.inputNanoUsd * TOKENS_PER_MTOK, output_rate: model.outputNanoUsd * TOKENS_PER_MTOK },
    });
    const request = this.rows.blob({ model: model.ref, temperature: model.temperature ?? null, tools });
    this.record(
      step,
      { ...said.usage, costNanoUsd, outputBytes: bytesOf(reply) },
      { request_messages: sent, reply_message: sent, request_hash: request },
    );
  }

  /** A tool call or a person's answer came back. */
  result(step: OpenedStep, call: ToolCall, content: string, error: RecordedError | null = null): void {
    const { agent } = step;
    this.say(agent, { role: "tool", callId: call.id, content });
    this.record(
      step,
      {
        ...{ status: error ? "failed" : "completed", error: error && stored(error) },
        ...{ inputBytes: bytesOf(call.arguments), outputBytes: bytesOf(content) },
      },
      { call_id: call.id, reply_message: agent.messages.length - 1 },
    );
  }

  /** A model call failed: the conversation is as it was, and the next call takes the same turn. */
  fail(step: OpenedStep, error: RecordedError): void {
    step.agent.turn -= 1;
    this.record(step, { status: "failed", error: stored(error) }, { request_messages: step.agent.messages.length });
  }

  /** Cut off with its agent. */
  abort(step: OpenedStep): void {
    this.record(step, { status: "aborted" }, {});
  }

  decide(step: Pick<OpenedStep, "agent" | "position">, choice: Choice): string {
    const place = `${step.agent.id}:${step.position}`;
    const ordinal = choice.ordinal ?? this.ordinals.get(place) ?? 0;
    this.ordinals.set(place, Math.max(this.ordinals.get(place) ?? 0, ordinal + 1));
    const id = deriveId(step.agent.id, `decision ${step.position}.${ordinal}`);
    const { kind, chosen, reason, source } = choice;
    const { position } = step;
    const row = this.rows.add("decisions", {
      ...this.keys(step.agent),
      ...{ id, position, ordinal, kind, chosen, reason, source, options_hash: this.rows.blob(choice.offered) },
      at: this.now,
    });
    // What the run had cost by then is filled in when all events are in order.
    this.emit(step.agent, { kind: "decision.made", id }, { decision: row });
    return id;
  }

  ask(step: OpenedStep, decisionId: string, { kind = "question", call = null, prompt, options }: Asked): string {
    const { agent, position } = step;
    const id = deriveId(agent.id, `request ${kind} ${position}`);
    const row = this.rows.add("human_requests", {
      ...this.keys(agent),
      ...{ id, position, decision_id: decisionId, kind, prompt, options, call, status: "open", answer: null },
      ...{ schema: { type: "string", minLength: 1 }, arguments_hash: call ? hashOf(call.arguments) : null },
      ...{ answered_by_id: null, answered_at: null, created_at: this.now },
    });
    this.requests.set(id, { row, agent });
    this.emit(agent, {
      kind: "request.opened",
      request: {
        ...{ id, runId: this.id, agentRunId: agent.id, agentName: agent.name, position, kind, prompt, options, call },
        ...{ answerKind: "choice" },
        ...{ deadlineAt: null, defaultAnswer: null, status: "open", answer: null, answeredBy: null, answeredAt: null },
        ...{ answeredByAgentId: null, escalatedUntil: null, assignee: null },
        createdAt: this.instant,
      },
    });
    return id;
  }

  /** `by`: null for somebody who is no member any more. */
  answer(requestId: string, answer: string, by: { id: string; name: string } | null): void {
    this.close(requestId, { status: "answered", answer, by });
  }

  withdraw(requestId: string): void {
    this.close(requestId, { status: "withdrawn", answer: null, by: null });
  }

  effect(step: OpenedStep, call: ToolCall, status: "intended" | "applied" | "failed"): void {
    this.rows.add("effects", {
      ...this.keys(step.agent),
      ...{ key: `${step.agent.id}:${step.position}`, position: step.position, tool: call.name, status, epoch: 1 },
      ...{ arguments_hash: hashOf(call.arguments), honours_key: true, intended_at: step.startedAt },
      settled_at: status === "intended" ? null : this.now,
    });
  }

  stream({ agent, position }: OpenedStep, text: string): void {
    const { workspaceId } = this.head;
    this.rows.add("live_texts", { agent_run_id: agent.id, workspace_id: workspaceId, position, text });
  }

  /** A passage as the agent was shown it. */
  cite(agent: RecordedAgent, passage: Row & { mark: string }): void {
    this.rows.add("citations", { ...this.keys(agent), ...passage, at: this.now });
  }

  /** What a search brought, in the order of its result. */
  found({ agent, position }: OpenedStep, passages: readonly ScoredPassage[]): void {
    const workspace_id = this.head.workspaceId;
    this.rows.add("retrievals", { agent_run_id: agent.id, position, workspace_id, passages });
  }

  get openRequests(): number {
    return [...this.requests.values()].filter(({ row }) => row.status === "open").length;
  }

  total(of: "inputTokens" | "outputTokens" | "costNanoUsd"): number {
    return this.agents.reduce((sum, agent) => sum + agent[of], 0);
  }

  private get instant(): string {
    return this.now.toISOString();
  }

  private close(
    requestId: string,
    end: { status: "answered" | "withdrawn"; answer: string | null; by: { id: string; name: string } | null },
  ): void {
    const request = this.requests.get(requestId);
    if (!request) throw new Error("Nobody asked this.");
    const { status, answer, by } = end;
    Object.assign(request.row, { status, answer, answered_by_id: by?.id ?? null, answered_at: this.now });
    const answeredBy = by?.name ?? null;
    const closed = { requestId, status, answer, answeredBy, answeredByAgentId: null, at: this.instant };
    this.emit(request.agent, { kind: "request.closed", ...closed });
  }

  private say(agent: RecordedAgent, message: ModelMessage): void {
    const index = agent.messages.push(message) - 1;
    this.rows.add("messages", {
      ...{ agent_run_id: agent.id, workspace_id: this.head.workspaceId, index, role: message.role },
      content: this.rows.inPlaceOrBlob(message),
    });
  }

  private record(step: OpenedStep, view: Partial<StepRow>, columns: Row): void {
    const { agent, position, turn, kind, name, startedAt } = step;
    agent.openSteps = agent.openSteps.filter((candidate) => candidate.position !== position);
    const row: StepRow = {
      ...{ agentRunId: agent.id, position, turn, kind, name, status: "completed", error: null },
      ...{ inputTokens: 0, outputTokens: 0, costNanoUsd: null, inputBytes: 0, outputBytes: 0 },
      ...view,
      ...{ startedAt: startedAt.toISOString(), finishedAt: this.instant },
    };
    this.rows.add("steps", {
      ...this.keys(agent),
      ...{ position, turn, kind, name, status: row.status, error: row.error, epoch: 1 },
      ...{ call_id: null, request_messages: null, reply_message: null, request_hash: null },
      ...{ input_bytes: row.inputBytes, output_bytes: row.outputBytes, started_at: startedAt, finished_at: this.now },
      ...columns,
    });
    this.emit(agent, { kind: "step.finished", position }, { costNanoUsd: row.costNanoUsd ?? 0 });
  }

  private emit(
    agent: RecordedAgent | null,
    event: StoredEventBody,
    of: Pick<RecordedEvent, "decision" | "costNanoUsd"> = {},
  ): void {
    const { kind, ...body } = structuredClone(event);
    this.rows.events.push({
      agentRunId: agent?.id ?? null,
      kind,
      body,
      at: this.now,
      ...of,
    });
  }

  private keys(agent: RecordedAgent): Row {
    return { workspace_id: this.head.workspaceId, run_id: this.id, agent_run_id: agent.id };
  }
}

/** With its class and its details, as the engine stores it. */
function stored({ facts, ...error }: RecordedError): StepError & { details: ErrorDetails } {
  return { ...error, ...keptClass(error.code, facts), details: detailsOf(error.code, facts) };
}
