import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";
import type { Prisma, PrismaClient } from "@/prisma/generated/client";
import type {
  AgentRow,
  ChosenOption,
  DecisionKind,
  ReasonSource,
  RequestView,
  RunEventBody,
  StepKind,
  StepRow,
} from "@/server/engine/events";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import type { ModelMessage, ToolCall, ToolSpec } from "@/server/models/model";
import type { OfferedOption } from "@/server/runs/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { NodeFixture, TeamFixture } from "./factories";

export const SAMPLE_MODEL = { provider: "api.example.com", name: "general-1" };
/** nano-USD a token: $0.40 and $1.60 a million. */
const PRICE = { input: 400, output: 1600 };
const IN_PLACE_BYTES = 8_192;

type Agent = AgentRow & {
  node: NodeFixture;
  turn: number;
  next: number;
  messages: ModelMessage[];
  result: string | null;
};
type Usage = { inputTokens: number; outputTokens: number };
type Opened = { agent: Agent; position: number; turn: number; kind: StepKind; name: string; startedAt: Date };
type Json = Prisma.InputJsonValue;

/**
 * Writes a run down the way the engine would, against a clock of its own: every change is an event and a row, and the
 * totals are added up from the steps. `save` inserts it all in one transaction.
 */
export class SampleRecorder {
  readonly runId = uuid();
  private readonly agents: Agent[] = [];
  private readonly events: Prisma.EventCreateManyInput[] = [];
  private readonly steps: Prisma.StepCreateManyInput[] = [];
  private readonly messages: Prisma.MessageCreateManyInput[] = [];
  private readonly decisions: Prisma.DecisionCreateManyInput[] = [];
  private readonly requests: Prisma.HumanRequestCreateManyInput[] = [];
  private readonly usages: Prisma.UsageCreateManyInput[] = [];
  private readonly effects: Prisma.EffectCreateManyInput[] = [];
  private readonly liveTexts: Prisma.LiveTextCreateManyInput[] = [];
  private readonly blobs = new Map<string, Prisma.BlobCreateManyInput[]>();
  private status: { status: RunStatus; reason: string | null; answer: string | null } = {
    status: "queued",
    reason: null,
    answer: null,
  };
  private startedAt: Date | null = null;
  private finishedAt: Date | null = null;
  private readonly createdAt: Date;
  private now: Date;

  constructor(
    private readonly workspaceId: WorkspaceId,
    private readonly team: TeamFixture,
    private readonly text: { title: string; input: string },
    startedMsAgo: number,
  ) {
    this.now = new Date(Date.now() - startedMsAgo);
    this.createdAt = this.now;
  }

  wait(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  agent(node: NodeFixture, task: string, instructions: string, parent?: Agent, spawnedById?: string): Agent {
    const id = uuid();
    const agent: Agent = {
      node,
      turn: 0,
      next: 0,
      messages: [],
      result: null,
      id,
      parentId: parent?.id ?? null,
      spawnedById: spawnedById ?? null,
      handle: `agent_${id.slice(-4)}`,
      name: node.name,
      depth: parent ? parent.depth + 1 : 0,
      task,
      status: "queued",
      statusReason: null,
      openSteps: [],
      inputTokens: 0,
      outputTokens: 0,
      costNanoUsd: 0,
      createdAt: this.now.toISOString(),
      startedAt: null,
      finishedAt: null,
    };
    this.agents.push(agent);
    this.emit(agent, { kind: "agent.created", agent: toRow(agent) });
    this.say(agent, { role: "system", content: instructions });
    this.say(agent, { role: "user", content: task });
    return agent;
  }

  move(agent: Agent, status: RunStatus, reason: string | null = null): void {
    agent.status = status;
    agent.statusReason = reason;
    if (status === "running") agent.startedAt ??= this.now.toISOString();
    if (isTerminal(status)) agent.finishedAt = this.now.toISOString();
    this.emit(agent, { kind: "agent.status", status, reason, at: this.now.toISOString() });
  }

  moveRun(status: RunStatus, reason: string | null = null, answer: string | null = null): void {
    this.status = { status, reason, answer };
    if (status === "running") this.startedAt ??= this.now;
    if (isTerminal(status)) this.finishedAt = this.now;
    this.emit(null, { kind: "run.status", status, reason, answer, at: this.now.toISOString() });
  }

  /** Begins steps of one turn; a model call begins a new turn. */
  begin(agent: Agent, ...begun: { kind: StepKind; name: string }[]): Opened[] {
    if (begun[0]?.kind === "model") agent.turn += 1;
    const opened = begun.map(({ kind, name }) => ({
      agent,
      kind,
      name,
      turn: agent.turn,
      position: agent.next++,
      startedAt: this.now,
    }));
    const steps = opened.map(({ agent: _, startedAt, ...step }) => ({ ...step, startedAt: startedAt.toISOString() }));
    agent.openSteps.push(...steps);
    this.emit(agent, { kind: "steps.started", steps });
    return opened;
  }

  /** A model call was answered. */
  reply(step: Opened, said: { text: string | null; calls?: ToolCall[]; usage: Usage }, tools: ToolSpec[]): void {
    const { agent } = step;
    const sent = agent.messages.length;
    const inputBytes = bytes(agent.messages);
    const reply: ModelMessage = { role: "assistant", content: said.text, calls: said.calls ?? [] };
    this.say(agent, reply);
    const costNanoUsd = said.usage.inputTokens * PRICE.input + said.usage.outputTokens * PRICE.output;
    agent.inputTokens += said.usage.inputTokens;
    agent.outputTokens += said.usage.outputTokens;
    agent.costNanoUsd += costNanoUsd;
    this.usages.push({
      ...this.keys(agent),
      position: step.position,
      ...SAMPLE_USAGE_NAMES,
      ...said.usage,
      costNanoUsd,
    });
    const requestHash = this.blob({ model: SAMPLE_MODEL.name, temperature: 0.2, tools });
    this.record(
      step,
      { ...said.usage, costNanoUsd, inputBytes, outputBytes: bytes(reply) },
      {
        requestMessages: sent,
        replyMessage: sent,
        requestHash,
      },
    );
  }

  /** A tool call or a person's answer came back. */
  result(step: Opened, call: ToolCall, content: string): void {
    const { agent } = step;
    this.say(agent, { role: "tool", callId: call.id, content });
    this.record(
      step,
      { inputBytes: bytes(call.arguments), outputBytes: bytes(content) },
      {
        callId: call.id,
        replyMessage: agent.messages.length - 1,
      },
    );
  }

  fail(step: Opened, error: { code: string; message: string }): void {
    const sent = step.kind === "model" ? step.agent.messages.length : null;
    const inputBytes = sent === null ? 0 : bytes(step.agent.messages);
    this.record(step, { status: "failed", error, inputBytes }, { requestMessages: sent });
  }

  decide(
    step: Opened,
    choice: {
      kind: DecisionKind;
      chosen: ChosenOption[];
      offered: OfferedOption[];
      reason: string | null;
      source: ReasonSource;
    },
  ): string {
    const id = uuid();
    const ordinal = this.decisions.filter(
      (other) => other.agentRunId === step.agent.id && other.position === step.position,
    ).length;
    const { kind, chosen, reason, source } = choice;
    const costSoFarNanoUsd = this.total("costNanoUsd");
    const row = { id, agentRunId: step.agent.id, position: step.position, ordinal, kind, chosen, reason, source };
    this.decisions.push({
      ...row,
      ...this.keys(step.agent),
      optionsHash: this.blob(choice.offered),
      costSoFarNanoUsd,
      at: this.now,
    });
    this.emit(step.agent, {
      kind: "decision.made",
      decision: { ...row, costSoFarNanoUsd, at: this.now.toISOString() },
    });
    return id;
  }

  ask(step: Opened, decisionId: string, question: { prompt: string; options: RequestView["options"] }): string {
    const id = uuid();
    const { agent, position } = step;
    this.requests.push({
      id,
      ...this.keys(agent),
      position,
      decisionId,
      kind: "question",
      ...question,
      schema: { type: "string" },
      status: "open",
      createdAt: this.now,
    });
    this.emit(agent, {
      kind: "request.opened",
      request: {
        id,
        runId: this.runId,
        agentRunId: agent.id,
        agentName: agent.name,
        position,
        kind: "question",
        ...question,
        call: null,
        deadlineAt: null,
        defaultAnswer: null,
        status: "open",
        answer: null,
        answeredBy: null,
        answeredAt: null,
        createdAt: this.now.toISOString(),
      },
    });
    return id;
  }

  answer(requestId: string, answer: string, by: { id: string; name: string }): void {
    const request = this.requests.find(({ id }) => id === requestId);
    const agent = this.agents.find(({ id }) => id === request?.agentRunId);
    if (!request || !agent) throw new Error("Nobody asked this.");
    Object.assign(request, { status: "answered", answer, answeredById: by.id, answeredAt: this.now });
    const at = this.now.toISOString();
    this.emit(agent, { kind: "request.closed", requestId, status: "answered", answer, answeredBy: by.name, at });
  }

  effect(step: Opened, call: ToolCall, status: "intended" | "applied"): void {
    this.effects.push({
      key: `${step.agent.id}:${step.position}`,
      ...this.keys(step.agent),
      position: step.position,
      tool: call.name,
      argumentsHash: hash(call.arguments),
      honoursKey: true,
      status,
      epoch: 1,
      intendedAt: step.startedAt,
      settledAt: status === "applied" ? this.now : null,
    });
  }

  stream(step: Opened, text: string): void {
    const { agentRunId, workspaceId } = this.keys(step.agent);
    this.liveTexts.push({ agentRunId, workspaceId, position: step.position, text });
  }

  async save(db: PrismaClient, startedById: string | null): Promise<string> {
    const { runId, workspaceId, team, createdAt } = this;
    const open = this.requests.filter(({ status }) => status === "open").length;
    await db.$transaction([
      db.blob.createMany({ data: [...this.blobs.values()].flat(), skipDuplicates: true }),
      db.run.create({
        data: {
          id: runId,
          workspaceId,
          teamId: team.teamId,
          teamVersionId: team.teamVersionId,
          ...this.text,
          status: this.status.status,
          statusReason: this.status.reason,
          answer: this.status.answer,
          model: `${SAMPLE_MODEL.provider}/${SAMPLE_MODEL.name}`,
          startedById,
          lastSeq: this.events.length,
          openRequests: open,
          inputTokens: this.total("inputTokens"),
          outputTokens: this.total("outputTokens"),
          costNanoUsd: this.total("costNanoUsd"),
          createdAt,
          startedAt: this.startedAt,
          finishedAt: this.finishedAt,
        },
      }),
      // Parents before children, and the edges to decisions when those exist.
      ...this.agents.map((agent) => db.agentRun.create({ data: { ...this.agentColumns(agent), spawnedById: null } })),
      db.decision.createMany({ data: this.decisions }),
      ...this.agents.map(({ id, spawnedById }) => db.agentRun.update({ where: { id }, data: { spawnedById } })),
      db.step.createMany({ data: this.steps }),
      db.message.createMany({ data: this.messages }),
      db.humanRequest.createMany({ data: this.requests }),
      db.usage.createMany({ data: this.usages }),
      db.effect.createMany({ data: this.effects }),
      db.liveText.createMany({ data: this.liveTexts }),
      db.event.createMany({ data: this.events }),
    ]);
    return runId;
  }

  private say(agent: Agent, message: ModelMessage): void {
    const size = bytes(message);
    const content = size > IN_PLACE_BYTES ? { blob: this.blob(message), bytes: size } : message;
    const index = agent.messages.push(message) - 1;
    this.messages.push({
      agentRunId: agent.id,
      workspaceId: this.workspaceId,
      index,
      role: message.role,
      content: content as Json,
    });
  }

  private record(step: Opened, view: Partial<StepRow>, columns: Partial<Prisma.StepCreateManyInput>): void {
    const { agent, position, turn, kind, name, startedAt } = step;
    agent.openSteps = agent.openSteps.filter((candidate) => candidate.position !== position);
    const row: StepRow = {
      agentRunId: agent.id,
      position,
      turn,
      kind,
      name,
      status: "completed",
      error: null,
      inputTokens: 0,
      outputTokens: 0,
      costNanoUsd: null,
      inputBytes: 0,
      outputBytes: 0,
      ...view,
      startedAt: startedAt.toISOString(),
      finishedAt: this.now.toISOString(),
    };
    const { inputTokens: _in, outputTokens: _out, costNanoUsd: _cost, error, ...stored } = row;
    this.steps.push({ ...stored, ...this.keys(agent), error: error ?? undefined, ...columns, epoch: 1 });
    this.emit(agent, { kind: "step.finished", step: row });
  }

  private emit(agent: Agent | null, body: RunEventBody): void {
    const { runId, workspaceId } = this;
    this.events.push({
      runId,
      workspaceId,
      seq: this.events.length + 1,
      agentRunId: agent?.id ?? null,
      kind: body.kind,
      body: structuredClone(body) as Json,
      at: this.now,
    });
  }

  /** Parts far smaller than in earnest, so that every reader has to join some. */
  private blob(value: unknown): string {
    const content = JSON.stringify(value);
    const key = hash(content);
    const parts = content.match(/[\s\S]{1,4096}/gu) ?? [];
    this.blobs.set(
      key,
      parts.map((text, part) => ({ workspaceId: this.workspaceId, hash: key, part, content: text })),
    );
    return key;
  }

  private keys(agent: Agent) {
    return { workspaceId: this.workspaceId, runId: this.runId, agentRunId: agent.id };
  }

  private total(of: "inputTokens" | "outputTokens" | "costNanoUsd"): number {
    return this.agents.reduce((sum, agent) => sum + agent[of], 0);
  }

  private agentColumns(agent: Agent): Prisma.AgentRunUncheckedCreateInput {
    const { node, turn: _turn, next: _next, messages: _messages, openSteps, ...row } = agent;
    return {
      ...row,
      workspaceId: this.workspaceId,
      runId: this.runId,
      agentVersionId: node.agentVersionId,
      teamNodeId: node.teamNodeId,
      epoch: 1,
      openSteps: openSteps as Json,
    };
  }
}

const SAMPLE_USAGE_NAMES = { provider: SAMPLE_MODEL.provider, model: SAMPLE_MODEL.name };

function toRow({ node: _n, turn: _t, next: _x, messages: _m, result: _r, ...row }: Agent): AgentRow {
  return { ...row, openSteps: [...row.openSteps] };
}

function bytes(value: unknown): number {
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
