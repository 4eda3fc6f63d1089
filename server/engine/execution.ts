import type { ModelMessage, ToolSpec } from "@/server/models/model";
import type { OpenStep, StepKind, StepRow } from "./events";
import type { Journal } from "./journal/journal";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import { type Offer, offersOf } from "./offers";
import type { EngineResources } from "./resources";
import { systemPrompt } from "./system-prompt";
import type { EngineTool } from "./tools/engine-tool";

type RecordedStep = Journal["opened"]["steps"][number];

/** One execution of one agent run: the record so far, kept in step with the journal, and the writes that several steps share. */
export class Execution {
  readonly messages: Map<number, ModelMessage>;
  readonly steps: RecordedStep[];
  readonly toolSpecs: ToolSpec[];
  readonly offers: Offer[];
  /** Names an agent version uses that do not exist here. */
  readonly missingTools: string[] = [];
  /** Children whose result this execution gave to a call; their rows say so once the call is recorded. */
  readonly handedOver = new Set<string>();
  private readonly engineTools = new Map<string, EngineTool>();
  private openSteps: OpenStep[] = [];
  private waiting = 0;

  constructor(
    readonly journal: Journal,
    readonly resources: EngineResources,
  ) {
    const { opened } = journal;
    this.messages = opened.messages;
    this.steps = opened.steps;
    const specs: ToolSpec[] = [];
    for (const [name, tool] of resources.engineTools) {
      const spec = tool.offer(this);
      if (!spec) continue;
      this.engineTools.set(name, tool);
      specs.push(spec);
    }
    for (const name of opened.config.tools) {
      const tool = resources.tools.get(name);
      if (tool) specs.push({ name: tool.name, description: tool.description, parameters: tool.parameters });
      else if (!resources.engineTools.has(name)) this.missingTools.push(name);
    }
    this.toolSpecs = specs;
    this.offers = offersOf(opened.spawnable, specs, opened.config.canSpawnAgents);
  }

  get row() {
    return this.journal.row;
  }
  get config() {
    return this.journal.opened.config;
  }
  get signal() {
    return this.journal.signal;
  }
  get isRoot() {
    return this.row.parentId === null;
  }

  engineTool(name: string): EngineTool | undefined {
    return this.engineTools.get(name);
  }

  now(): string {
    return this.resources.now().toISOString();
  }

  async faultPoint(point: Parameters<NonNullable<EngineResources["atFaultPoint"]>>[0], position: number) {
    await this.resources.atFaultPoint?.(point, this.row.id, position);
  }

  turn(): number {
    return this.steps.filter((step) => step.kind === "model" && step.status === "completed").length;
  }

  /** The conversation as the model is sent it, in order. */
  conversation(): ModelMessage[] {
    return [...this.messages.entries()].sort(([a], [b]) => a - b).map(([, message]) => message);
  }

  /** The first two messages of a new agent run. */
  openingUnit(): JournalUnit {
    if (this.messages.size) return {};
    const opening: ModelMessage[] = [
      { role: "system", content: systemPrompt(this) },
      { role: "user", content: this.row.task },
    ];
    return merged(
      ...opening.map((message, index) => {
        this.messages.set(index, message);
        return this.journal.message(index, message);
      }),
    );
  }

  /** Marks steps as begun; the unit says so to whoever watches. Steps already marked are left alone. */
  begin(steps: { position: number; turn: number; kind: StepKind; name: string }[]): JournalUnit {
    const fresh = steps.filter(({ position }) => !this.isOpen(position));
    if (fresh.length === 0) return {};
    const now = this.now();
    const begun = fresh.map((step) => ({ ...step, startedAt: this.askedAt(step) ?? now }));
    this.openSteps = [...this.openSteps, ...begun];
    return { agent: { open: this.openSteps }, events: [{ body: { kind: "steps.started", steps: begun } }] };
  }

  /** When a person was asked in an earlier execution: the wait began then. */
  private askedAt({ kind, position }: { kind: StepKind; position: number }): string | undefined {
    if (kind !== "human") return undefined;
    return this.journal.opened.requests.find((request) => request.position === position)?.createdAt;
  }

  isOpen(position: number): boolean {
    return this.openSteps.some((step) => step.position === position);
  }

  startOf(position: number): string {
    return this.openSteps.find((step) => step.position === position)?.startedAt ?? this.now();
  }

  /** Records a step: its row, the event, and that it is no longer open. */
  finish(
    step: Omit<StepRow, "agentRunId" | "finishedAt" | "startedAt">,
    links: { callId?: string; sent?: number; reply?: number; request?: string; streamed?: boolean },
  ): JournalUnit {
    const startedAt = this.startOf(step.position);
    const finishedAt = this.now();
    this.openSteps = this.openSteps.filter(({ position }) => position !== step.position);
    this.steps.push({
      position: step.position,
      turn: step.turn,
      kind: step.kind,
      status: step.status,
      callId: links.callId ?? null,
      replyMessage: links.reply ?? null,
    });
    this.steps.sort((a, b) => a.position - b.position);
    return {
      steps: [
        {
          position: step.position,
          turn: step.turn,
          kind: step.kind,
          name: step.name,
          status: step.status === "completed" ? "completed" : "failed",
          error: step.error,
          call: links.callId ?? null,
          sent: links.sent ?? null,
          reply: links.reply ?? null,
          request: links.request ?? null,
          inb: step.inputBytes,
          outb: step.outputBytes,
          streamed: links.streamed ?? false,
          t0: startedAt,
          t1: finishedAt,
        },
      ],
      agent: { open: this.openSteps },
      events: [{ body: { kind: "step.finished", step: { ...step, agentRunId: this.row.id, startedAt, finishedAt } } }],
    };
  }

  /** A person is asked: nothing moves here until the answer. */
  beginWaiting(): JournalUnit {
    this.waiting += 1;
    return this.waiting > 1 ? {} : this.status("waiting", null);
  }

  endWaiting(): JournalUnit {
    this.waiting -= 1;
    return this.waiting > 0 ? {} : this.status("running", null);
  }

  status(status: "running" | "waiting" | "completed" | "failed" | "aborted", reason: string | null): JournalUnit {
    return {
      agent: { status, reason },
      events: [{ body: { kind: "agent.status", status, reason, at: this.now() } }],
    };
  }
}
