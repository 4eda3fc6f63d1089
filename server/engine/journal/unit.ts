import type { ModelMessage } from "@/server/models/model";
import type {
  ChosenOption,
  DecisionKind,
  DecisionRow,
  OpenStep,
  ReasonSource,
  RunEventBody,
  StepKind,
} from "../events";
import type { RunStatus } from "../state";

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
    node: string;
    depth: number;
    task: string;
  }[];
  steps?: {
    position: number;
    turn: number;
    kind: StepKind;
    name: string;
    status: "completed" | "failed";
    error: { code: string; message: string } | null;
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
    cost: number | null;
  }[];
  effects?: {
    key: string;
    position: number;
    tool: string;
    args: string;
    honours: boolean;
    status: "intended" | "applied" | "failed" | "uncertain" | "given_up";
  }[];
  requests?: {
    id: string;
    position: number;
    decision: string | null;
    kind: "question" | "uncertain_effect";
    prompt: string;
    options: { value: string; label: string; description?: string }[];
    schema: Record<string, unknown>;
    call: { tool: string; arguments: string } | null;
    args: string | null;
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
  };
  /** `agentRunId` is the journal's own unless given; null for an event of the run itself. */
  events?: { agentRunId?: string | null; body: EventBody }[];
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

/** An event as it is written: a decision's cost so far is the run's at the commit, which only the database knows. */
export type EventBody =
  | Exclude<RunEventBody, { kind: "decision.made" }>
  | { kind: "decision.made"; decision: Omit<DecisionRow, "costSoFarNanoUsd"> };

/** Who writes: fenced by epoch, numbered so that a repeated write changes nothing. */
export type JournalOwner = { agentRunId: string; runId: string; workspaceId: string; epoch: number; unit: number };

/** Another execution took over, or the agent run has ended: the writer must stop and touch nothing. */
export class FenceLostError extends Error {
  constructor(agentRunId: string) {
    super(`agent run ${agentRunId} is executed by somebody else or has ended`);
    this.name = "FenceLostError";
  }
}
