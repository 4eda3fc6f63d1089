import { type Tool, type ToolContext, ToolError } from "@/server/tools/tool";
import type { Execution } from "./execution";
import type { PlannedCall } from "./next-step";
import { type CallOutcome, refusal } from "./tools/engine-tool";

/** Stable over executions of this agent run. */
export function keyOf(execution: Execution, planned: PlannedCall): string {
  return `${execution.row.id}:${planned.position}`;
}

/** Calls the tool, and gives up on it at its time limit or when this execution may not go on. */
export function act(
  execution: Execution,
  tool: Tool,
  args: unknown,
  { key, ...also }: Pick<ToolContext, "key" | "keepScores">,
): Promise<unknown> {
  const { workspaceId, runId, id: agentRunId } = execution.row;
  const context = { workspaceId, runId, agentRunId, key, ...also };
  return execution.journal.atWork(() => callInTime(tool, args, context, execution.signal));
}

/** Also of a tool that listens to no signal nobody waits any longer: at its time limit, or when `may` is aborted. */
export async function callInTime(
  tool: Tool,
  args: unknown,
  context: Omit<ToolContext, "signal">,
  may: AbortSignal,
): Promise<unknown> {
  const controller = new AbortController();
  let giveUp: (reason: unknown) => void = () => {};
  const given = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  given.catch(() => {});
  // First here, so that what the tool throws on being told is not taken for its own.
  const end = (reason: unknown) => {
    giveUp(reason);
    controller.abort(reason);
  };
  const stop = () => end(may.reason);
  // One signal, not one that ends by itself and one that combines: this is in the way of every call.
  const timer = setTimeout(() => end(new TimeoutError(tool.timeoutMs)), tool.timeoutMs);
  may.addEventListener("abort", stop, { once: true });
  if (may.aborted) stop();
  try {
    return await Promise.race([given, tool.run(args, { ...context, signal: controller.signal })]);
  } finally {
    clearTimeout(timer);
    may.removeEventListener("abort", stop);
  }
}

export class TimeoutError extends Error {
  constructor(readonly ms: number) {
    super(`no result after ${ms / 1000} s`);
    this.name = "TimeoutError";
  }
}

export function failure(error: unknown): CallOutcome {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ToolError) return { ...refusal("refused", message), facts: { category: error.category } };
  if (error instanceof TimeoutError) return { ...refusal("timeout", message), facts: { timeoutMs: error.ms } };
  return refusal("tool_failed", message);
}
