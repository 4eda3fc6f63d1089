import type { ModelMessage, ToolSpec } from "@/server/models/model";
import type { Tool, ToolSet } from "@/server/tools/tool";
import { type Briefed, systemMessage } from "./briefing";
import type { CallSettings } from "./call-settings";
import { messagesToSend } from "./compaction";
import type { OpenStep, StepError, StepKind, StepRow, Todo } from "./events";
import { movesOn } from "./journal/batch";
import type { Journal } from "./journal/journal";
import { merged } from "./journal/merged";
import type { Compaction, Opened } from "./journal/opened";
import { type JournalUnit, NotNowError } from "./journal/unit";
import { isLedByEngine, plansInTasks } from "./may-spawn";
import { lastText } from "./next-step";
import { contextNotes } from "./note-context";
import { type Offer, offersOf } from "./offers";
import { PendingEscalations } from "./pending-escalations";
import { PendingSteers } from "./pending-steers";
import { detailsOf, type ErrorFacts, keptClass } from "./resilience/error-catalog";
import type { ErrorDetails } from "./resilience/error-details";
import type { EngineResources } from "./resources";
import type { RunContext } from "./run-context";
import { changedTasks, type Queue } from "./task-queue";
import type { EngineTool } from "./tools/engine-tool";

type RecordedStep = Journal["opened"]["steps"][number];

/** One execution of one agent run: the record so far, kept in step with the journal, and the writes that several steps share. */
export class Execution {
  readonly messages: Map<number, ModelMessage>;
  readonly steps: RecordedStep[];
  readonly toolSpecs: ToolSpec[];
  readonly offers: Offer[];
  /** Children whose result this execution gave to a call; their rows say so once the call is recorded. */
  readonly handedOver = new Set<string>();
  /** What agents below it ask. */
  readonly escalations: PendingEscalations;
  /** What people say to it. */
  readonly steers: PendingSteers;
  private readonly engineTools = new Map<string, EngineTool>();
  private openSteps: OpenStep[] = [];
  private waiting = 0;
  private readonly closing = new AbortController();
  /** What works on its tasks and on who works below it. */
  private lane: Promise<unknown> = Promise.resolve();
  /** Aborted when this execution may not go on, or is over: for what runs beside its steps. */
  readonly beside: AbortSignal;
  /** This execution recorded a step: the attempts before it are forgotten. */
  hasRecorded = false;
  /** The commit of the model's last reply. */
  replied: Promise<void> = Promise.resolve();
  /** It is known whether what was recorded so far counts. */
  settled: Promise<void> = Promise.resolve();
  private unreplied: { error: unknown } | undefined;
  /** Its checklist as it now is. */
  todo: Todo | null;
  /** What it is about, as it now is. */
  context: RunContext | null;
  /** Events of its own that it published; undefined until somebody asks. */
  published: number | undefined;
  /** What of its conversation is sent; null: all. */
  compaction: Compaction | null;
  private request: { key: string; value: object } | undefined;

  constructor(
    readonly journal: Journal,
    readonly resources: EngineResources,
    private readonly toolSet: ToolSet,
  ) {
    const { opened } = journal;
    this.beside = AbortSignal.any([journal.signal, this.closing.signal]);
    this.messages = opened.messages;
    this.steps = opened.steps;
    this.todo = opened.todo;
    this.context = opened.context;
    this.compaction = opened.compaction;
    this.steers = new PendingSteers(this);
    const specs: ToolSpec[] = [];
    for (const [name, tool] of resources.engineTools) {
      const spec = tool.offer(this.briefed());
      if (!spec) continue;
      this.engineTools.set(name, tool);
      specs.push(spec);
    }
    for (const { name, description, parameters } of toolSet.tools.values())
      specs.push({ name, description, parameters });
    this.toolSpecs = specs;
    this.offers = offersOf(this.briefed(), specs);
    this.escalations = new PendingEscalations(this);
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
  /** The root of a team whose pattern the engine itself carries out. */
  get isLedByEngine() {
    return isLedByEngine({ ...this.journal.opened.run, isChild: !this.isRoot });
  }
  /** Whom it may start. A pattern that the engine leads knows only those placed below. */
  get spawnable(): Opened["spawnable"] {
    const { spawnable } = this.journal.opened;
    return this.isLedByEngine ? spawnable.filter(({ nodeId }) => nodeId !== null) : spawnable;
  }
  /** It starts agents by tasks alone, and is not to answer while some are open. */
  get plansInTasks() {
    return plansInTasks(this.briefed());
  }
  /** Its queue, as committed. */
  get tasks(): Queue {
    return this.journal.opened.tasks;
  }

  engineTool(name: string): EngineTool | undefined {
    return this.engineTools.get(name);
  }

  tool(name: string): Tool | undefined {
    return this.toolSet.tools.get(name);
  }

  kindOf(name: string): StepKind {
    return this.engineTool(name)?.kind ?? this.tool(name)?.kind ?? "tool";
  }

  /** "provider/model" that answers this agent. */
  get modelRef(): string {
    const { model, overrides } = this.journal.opened.run;
    return overrides.model ?? this.config.model ?? model;
  }

  /** The model's own name, for a step that begins. */
  get modelName(): string {
    return this.modelRef.slice(this.modelRef.indexOf("/") + 1);
  }

  private briefed(): Briefed {
    const { config, colleagues, run } = this.journal.opened;
    const { pattern, patternSettings } = run;
    return {
      ...{ name: this.row.name, config, pattern, patternSettings },
      ...{ spawnable: this.spawnable, colleagues, isChild: !this.isRoot },
    };
  }

  /** Does what ends by itself, however long that takes: meanwhile the run is not stuck. */
  bounded<T>(work: () => Promise<T>): Promise<T> {
    return this.resources.bounded.during(this.row.runId, work);
  }

  now(): string {
    return this.resources.now().toISOString();
  }

  /**
   * Carries out what looks at its tasks or counts who works below it, and commits what follows: one after the other, so that nothing is
   * given away twice. What waits for others, a person or an agent, has no place here.
   */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.lane.then(work);
    this.lane = mine.catch(() => {});
    return mine;
  }

  /** Ends what runs beside its steps, and waits for what of it is under way. */
  async close(): Promise<void> {
    this.closing.abort();
    // A reply was paid for: nobody else takes this over before it is recorded.
    await Promise.all([this.lane, this.replied.catch(() => {})]);
  }

  /** The tasks that differ between two states of its queue. */
  changeTasks(before: Queue, after: Queue): Required<Pick<JournalUnit, "tasks" | "events">> {
    const tasks = changedTasks(before, after);
    return {
      tasks,
      events: tasks.map((task) => ({ body: { kind: "task.changed", task: { ...task, agentRunId: this.row.id } } })),
    };
  }

  async faultPoint(point: Parameters<NonNullable<EngineResources["atFaultPoint"]>>[0], position: number) {
    await this.resources.atFaultPoint?.(point, this.row.id, position);
  }

  turn(): number {
    return this.steps.filter((step) => step.kind === "model" && step.status === "completed").length;
  }

  /** Where the model's last reply is recorded; its calls follow it. */
  lastReplyPosition(): number {
    return this.steps.findLast(({ kind, status }) => kind === "model" && status === "completed")?.position ?? 0;
  }

  /** What this agent run said last; empty when it said nothing. */
  lastText(): string {
    return lastText(
      this.messages,
      this.steps.filter(({ kind, status }) => kind === "model" && status === "completed"),
    );
  }

  /** All messages that are stored, in order. */
  stored(): ModelMessage[] {
    return [...this.messages.entries()].sort(([a], [b]) => a - b).map(([, message]) => message);
  }

  /** The conversation as the model is sent it, in order. */
  conversation(): ModelMessage[] {
    return messagesToSend(this.stored(), this.compaction);
  }

  /** The first messages of a new agent run: instructions, what was said before in its conversation, the task. */
  openingUnit(): JournalUnit {
    if (this.messages.size) return {};
    return merged(
      ...this.opening().map((message, index) => {
        this.messages.set(index, message);
        return this.journal.message(index, message);
      }),
    );
  }

  /** What is stored when a call over the whole conversation begins: the first messages, what was said and asked meanwhile, that the step is open. */
  async announce(step: { position: number; turn: number; kind: StepKind; name: string }): Promise<JournalUnit> {
    return merged(this.openingUnit(), await this.steers.take(), await this.escalations.take(), this.begin([step]));
  }

  private opening(): ModelMessage[] {
    return [
      {
        role: "system",
        content: systemMessage(this.briefed(), [...contextNotes(this.context), ...this.toolSet.notes]),
      },
      ...recentTurns(this.journal.opened.history),
      { role: "user", content: this.row.task },
    ];
  }

  /** All messages as they will be stored when the next model call begins. */
  async nextStored(): Promise<ModelMessage[]> {
    const said = await this.steers.messages();
    const asked = await this.escalations.message();
    return [...(this.messages.size ? this.stored() : this.opening()), ...said, ...(asked ? [asked] : [])];
  }

  /** The conversation as its next model call will be sent it. */
  async nextConversation(): Promise<ModelMessage[]> {
    return messagesToSend(await this.nextStored(), this.compaction);
  }

  /** What a call of a model is made with beside its messages; the same object while it is the same. */
  requestOf(settings: CallSettings): object {
    const { compaction } = this;
    const key = JSON.stringify([settings, compaction]);
    if (this.request?.key !== key) {
      const value = { ...settings, tools: this.toolSpecs, ...(compaction ? { compaction } : {}) };
      this.request = { key, value };
    }
    return this.request.value;
  }

  /** Marks steps as begun; the unit says so to whoever watches. Steps already marked are left alone, unless they turn out to be others. */
  begin(steps: { position: number; turn: number; kind: StepKind; name: string }[]): JournalUnit {
    const isSame = (one: OpenStep, { position, kind }: { position: number; kind: StepKind }) =>
      one.position === position && one.kind === kind;
    const fresh = steps.filter((step) => !this.openSteps.some((open) => isSame(open, step)));
    if (fresh.length === 0) return {};
    const now = this.now();
    const begun = fresh.map((step) => ({ ...step, startedAt: this.askedAt(step) ?? now }));
    this.openSteps = [
      ...this.openSteps.filter(({ position }) => !begun.some((step) => step.position === position)),
      ...begun,
    ];
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
    links: {
      callId?: string;
      sent?: number;
      reply?: number;
      request?: string;
      streamed?: boolean;
      /** What is known of its error beside the code. */
      facts?: ErrorFacts;
    },
  ): JournalUnit {
    this.hasRecorded = true;
    const error = step.error && { ...step.error, ...keptClass(step.error.code, links.facts) };
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
      standIn: step.error?.standIn ?? null,
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
          // Events leave the details out: they are read with the step.
          error: error && detailed(error, links.facts),
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
      agent: { open: this.openSteps, recorded: true },
      events: [{ body: { kind: "step.finished", position: step.position } }],
    };
  }

  /**
   * Commits the end of a call. One that moves this agent run on is refused when it was held meanwhile: then `takeBack` undoes what memory
   * has of it, before anything else that is still under way is recorded. Whoever records such an end waits for `settled` first.
   */
  async settle(unit: JournalUnit, takeBack: () => void): Promise<void> {
    const committed = this.journal.append(unit).catch((error: unknown) => {
      if (error instanceof NotNowError) takeBack();
      throw error;
    });
    if (movesOn(unit)) this.settled = committed.catch(() => {});
    await committed;
  }

  /** Undoes finish() of a call and begin() of what follows it: they may not be recorded now. */
  takeBack(begun: OpenStep, messageIndex: number, next: readonly { position: number }[]): void {
    const place = this.steps.findIndex(({ position }) => position === begun.position);
    if (place >= 0) this.steps.splice(place, 1);
    this.messages.delete(messageIndex);
    const others = this.openSteps.filter(({ position }) => !next.some((step) => step.position === position));
    this.openSteps = [...others, begun];
  }

  /** Commits what the model replied; whoever goes on from it waits for `replied`, unless it may be done again. */
  recordReply(unit: JournalUnit): void {
    this.replied = this.journal.append(unit, { isFollowed: true });
    this.replied.catch((error: unknown) => {
      this.unreplied = { error };
    });
  }

  /** Throws when the last reply could not be recorded: then nor may what followed from it. */
  throwIfUnreplied(): void {
    if (this.unreplied) throw this.unreplied.error;
  }

  /** Records a model call that was not made. */
  refuseModelStep(position: number, error: { code: string; message: string }): JournalUnit {
    const nothing = { inputTokens: 0, outputTokens: 0, costNanoUsd: null, inputBytes: 0, outputBytes: 0 };
    const step = { position, turn: this.turn() + 1, kind: "model" as const, name: this.modelName };
    return merged(this.begin([step]), this.finish({ ...step, status: "failed", error, ...nothing }, {}));
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

function detailed(error: StepError, facts: ErrorFacts | undefined): StepError & { details: ErrorDetails } {
  return { ...error, details: detailsOf(error.code, facts) };
}

/** Characters of earlier turns a follow-up carries; the newest turns are kept whole. */
const HISTORY_CHARACTERS = 60_000;

function recentTurns(history: readonly { input: string; answer: string }[]): ModelMessage[] {
  let left = HISTORY_CHARACTERS;
  const kept: ModelMessage[][] = [];
  for (const { input, answer } of history.toReversed()) {
    left -= input.length + answer.length;
    if (left < 0) break;
    kept.unshift([
      { role: "user", content: input },
      { role: "assistant", content: answer, calls: [] },
    ]);
  }
  return kept.flat();
}
