import { type Tool, ToolError } from "@/server/tools/tool";
import type { Execution } from "./execution";
import type { PlannedCall } from "./next-step";
import { type CallOutcome, refusal } from "./tools/engine-tool";

/** A call that only reads: it may run again after a crash. Errors are for the model. */
export async function runTool(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  args: unknown,
): Promise<CallOutcome> {
  try {
    return { value: await act(execution, tool, args, keyOf(execution, planned)) };
  } catch (error) {
    execution.signal.throwIfAborted();
    return failure(error);
  }
}

/** Stable over executions of this agent run. */
export function keyOf(execution: Execution, planned: PlannedCall): string {
  return `${execution.row.id}:${planned.position}`;
}

/** Calls the tool, and gives up on it at its time limit or when this execution may not go on. */
export async function act(execution: Execution, tool: Tool, args: unknown, key: string): Promise<unknown> {
  const timeout = AbortSignal.timeout(tool.timeoutMs);
  const signal = AbortSignal.any([execution.signal, timeout]);
  const { workspaceId, runId, id: agentRunId } = execution.row;
  let stop = () => {};
  const given = new Promise<never>((_, reject) => {
    stop = () => reject(timeout.aborted ? new TimeoutError(tool.timeoutMs) : signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([tool.run(args, { workspaceId, runId, agentRunId, key, signal }), given]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`no result after ${ms / 1000} s`);
    this.name = "TimeoutError";
  }
}

export function failure(error: unknown): CallOutcome {
  const message = error instanceof Error ? error.message : String(error);
  return refusal(
    error instanceof ToolError ? "refused" : error instanceof TimeoutError ? "timeout" : "tool_failed",
    message,
  );
}
