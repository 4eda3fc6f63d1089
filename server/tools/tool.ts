import type { ErrorCategory } from "@/server/engine/resilience/error-catalog";
import type { ScoredPassage } from "@/server/knowledge/schema";
import type { ToolSpec } from "@/server/models/model";
import type { ToolPolicy } from "./tool-policy";

export type ToolContext = {
  workspaceId: string;
  runId: string;
  agentRunId: string;
  /** Stable over retries and crashes of this very call; send it as Idempotency-Key. */
  key: string;
  signal: AbortSignal;
  /** Keeps with the step what a search brought, and how well each passage matched; the model is not told. Absent: no step is recorded. */
  keepScores?: (passages: readonly ScoredPassage[]) => void;
};

/**
 * A function a model may call (AGT-LRR-15, AGT-LRR-16).
 *
 * sideEffect   none: pure · read: looks only · write: inside systems we control · external: third party, not reversible
 * idempotency  none: repeating does it twice · optional/required: the far side honours `key`
 *
 * A call that writes is repeated after a crash only under its key; without one a person is asked.
 */
export type Tool = ToolSpec & {
  sideEffect: "none" | "read" | "write" | "external";
  idempotency: "none" | "optional" | "required";
  timeoutMs: number;
  /** How an owner wants it to be called. Absent: nobody may say so of this tool. */
  policy?: ToolPolicy;
  /** How its steps are shown; "tool" when left out. */
  kind?: "tool" | "retrieval";
  /**
   * `args` is parsed JSON, not yet checked against the schema: the tool parses it.
   * Throw ToolError for a refusal that certainly changed nothing; any other error of a writing call leaves its effect uncertain.
   */
  run(args: unknown, context: ToolContext): Promise<unknown>;
};

/** What an agent run may use, found anew for each of its executions. */
export type ToolboxRequest = {
  workspaceId: string;
  runId: string;
  /** Of the run; its attachments are searched too. */
  conversationId: string | null;
  /** Names from the agent's configuration, without those the engine carries out itself. */
  names: readonly string[];
  /** Knowledge bases from the agent's configuration. */
  knowledge: readonly string[];
};
export type ToolSet = {
  tools: ReadonlyMap<string, Tool>;
  /** Why the agent run must not start, one sentence for each thing that is missing (promise 9). */
  missing: string[];
  /** Facts of this run for the agent's instructions, e.g. what is attached to the conversation. */
  notes: string[];
  /** Takes out of what was written for an agent whatever may be neither stored nor sent. Absent: nothing. */
  clean?: <T>(value: T) => T;
};
export type Toolbox = (request: ToolboxRequest) => Promise<ToolSet>;

export function hasSideEffect(tool: Tool): boolean {
  return tool.sideEffect === "write" || tool.sideEffect === "external";
}

/** The tool refused or failed, and this call certainly changed nothing. Its message goes to the model. The category says whether a retry may help. */
export class ToolError extends Error {
  constructor(
    message: string,
    readonly category: ErrorCategory = "CLIENT_ERROR",
  ) {
    super(message);
    this.name = "ToolError";
  }
}

/** The call never reached whoever carries it out: that says nothing of the same call sent before. */
export class UnreachedError extends ToolError {}
