import type { ScoredPassage } from "@/server/knowledge/schema";
import type { ModelMessage } from "@/server/models/model";
import type { KeyStrategy } from "@/server/tools/tool-policy";
import type {
  ChosenOption,
  DecisionKind,
  Mail,
  OpenStep,
  ReasonSource,
  RequestView,
  StepError,
  StepKind,
  StoredEventBody,
  Task,
  Todo,
} from "../events";
import type { Handoff } from "../handoffs";
import type { RunContext } from "../run-context";
import type { RunStatus } from "../state";
import type { Compaction } from "./opened";

/**
 * What belongs together in one commit of one agent run. Field names are those journal_write() reads; owner columns
 * (agent run, run, workspace, epoch) are added by the journal.
 */
export type JournalUnit = {
  blobs?: { hash: string; part: number; content: string }[];
  decisions?: {
    id: string;
    position: number;
    ordinal: number;
    kind: DecisionKind;
    /** Hash of the options blob. */
    options: string | null;
    chosen: ChosenOption[];
    reason: string | null;
    source: ReasonSource;
    at: string;
  }[];
  children?: {
    id: string;
    decision: string | null;
    handle: string;
    name: string;
    version: string;
    /** Null: it has no place in the team. */
    node: string | null;
    depth: number;
    task: string;
    /** What it begins with. */
    context?: RunContext;
  }[];
  steps?: {
    position: number;
    turn: number;
    kind: StepKind;
    name: string;
    status: "completed" | "failed";
    error: StepError | null;
    call: string | null;
    /** Messages [0, sent) went to the model. */
    sent: number | null;
    /** Index of the message that came back. */
    reply: number | null;
    /** Hash of the request blob: model, temperature, tools. */
    request: string | null;
    inb: number;
    outb: number;
    streamed: boolean;
    t0: string;
    t1: string;
  }[];
  messages?: { index: number; role: ModelMessage["role"]; content: ModelMessage | { blob: string; bytes: number } }[];
  usages?: {
    position: number;
    provider: string;
    model: string;
    input: number;
    cached: number;
    output: number;
    /** Part of the output. */
    reasoning?: number;
    cost: number | null;
    /** What it was billed at; absent where there is no such price. */
    inputRate?: number;
    cachedRate?: number;
    outputRate?: number;
    reasoningRate?: number;
    /** What it may cost was reserved, and is settled by this. */
    reserved?: true;
  }[];
  /** What a provider sent of a call's reasoning. */
  reasonings?: { position: number; text: string }[];
  effects?: {
    key: string;
    position: number;
    tool: string;
    args: string;
    honours: boolean;
    /** repeated, refused: another call, at `repeats…`, was the same; this one was not made. */
    status: "intended" | "applied" | "failed" | "uncertain" | "given_up" | "repeated" | "refused";
    /** Key of its entry in idempotency_entries, which is settled with it. */
    call?: string;
    strategy?: KeyStrategy;
    /** The key the far side is sent, where that is another. */
    sent?: string;
    repeatsAgent?: string;
    repeatsAt?: number;
  }[];
  requests?: {
    id: string;
    position: number;
    decision: string | null;
    kind: RequestView["kind"];
    prompt: string;
    options: { value: string; label: string; description?: string }[];
    schema: Record<string, unknown>;
    call: { tool: string; arguments: string } | null;
    args: string | null;
    /** Asked of the agents above until then, before it is asked of people. */
    until?: string;
    /** People may answer until then; absent: for ever. */
    deadline?: string;
  }[];
  /** Tasks of this agent run's queue, as they now are. */
  tasks?: Task[];
  /** `fromId` is another's where the queue of tasks tells of the end of a child. */
  mails?: Omit<Mail, "readAt">[];
  /** What the search at `position` brought. */
  retrievals?: { position: number; passages: readonly ScoredPassage[] }[];
  /** Calls that failed for good. */
  deadLetters?: {
    id: string;
    position: number;
    kind: "model" | "tool";
    operation: string;
    code: string;
    stableCode: string;
    category: string;
    message: string;
    /** JSON as the model wrote it; null for a model call. */
    arguments: string | null;
    callKey: string | null;
    /** Whether making it again may do something twice; `run`: its run is started again instead. */
    repeats: "reads" | "keyed" | "unkeyed" | "run";
    at: string;
  }[];
  /** Agent runs to end, with all below them. */
  aborts?: { id: string; reason: string }[];
  agent?: {
    status?: RunStatus;
    reason?: string | null;
    open?: OpenStep[];
    input?: number;
    output?: number;
    cost?: number;
    result?: string;
    /** Ids of children whose result was handed over. */
    collected?: string[];
    /** Ids of what people said to it that it has been told. */
    read?: string[];
    /** Ids of escalated requests that it has been told of. */
    told?: string[];
    /** Ids of mails it has read. */
    inbox?: string[];
    /** Its checklist, whole; null: cleared. */
    todo?: Todo | null;
    /** What it is about, whole; null: nothing is noted. */
    context?: RunContext | null;
    /** What of its conversation is sent from now on. */
    compaction?: Compaction;
    /** Whom it hands the task over to, as it ends. */
    handoff?: Handoff;
    /** A step was recorded: the execution got somewhere. */
    recorded?: true;
  };
  /** `agentRunId` is the journal's own unless given; null for an event of the run itself. */
  events?: { agentRunId?: string | null; body: StoredEventBody }[];
  head?: {
    input?: number;
    output?: number;
    cost?: number;
    unpriced?: number;
    requests?: number;
    status?: RunStatus;
    reason?: string | null;
    answer?: string | null;
  };
};

/** Who writes: fenced by epoch, numbered so that a repeated write changes nothing. */
export type JournalOwner = { agentRunId: string; runId: string; workspaceId: string; epoch: number; unit: number };

/** This may not be written now: the agent run is held (`stays`), or would end although somebody said something to it (`steered`). */
export class NotNowError extends Error {
  constructor(
    agentRunId: string,
    readonly why: "stays" | "steered",
  ) {
    super(`agent run ${agentRunId} ${why === "stays" ? "is held" : "was told something it has not read"}`);
    this.name = "NotNowError";
  }
}

/** Another execution took over, or the agent run has ended: the writer must stop and touch nothing. */
export class FenceLostError extends Error {
  constructor(agentRunId: string) {
    super(`agent run ${agentRunId} is executed by somebody else or has ended`);
    this.name = "FenceLostError";
  }
}
