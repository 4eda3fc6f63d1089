import type { ToolSpec } from "@/server/models/model";

export type ToolContext = {
  workspaceId: string;
  runId: string;
  agentRunId: string;
  /** Stable over retries and crashes of this very call; send it as Idempotency-Key. */
  key: string;
  signal: AbortSignal;
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
  /**
   * `args` is parsed JSON, not yet checked against the schema: the tool parses it.
   * Throw ToolError for a refusal that certainly changed nothing; any other error of a writing call leaves its effect uncertain.
   */
  run(args: unknown, context: ToolContext): Promise<unknown>;
};

export function hasSideEffect(tool: Tool): boolean {
  return tool.sideEffect === "write" || tool.sideEffect === "external";
}

/** The tool refused or failed and certainly changed nothing. Its message goes to the model. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ToolError";
  }
}
