import type { ToolSpec } from "@/server/models/model";
import type { Execution } from "../execution";
import type { JournalUnit } from "../journal/unit";
import type { PlannedCall } from "../next-step";

/** What a call came to: a value for the model, and what else is committed with its step. */
export type CallOutcome = {
  /** For the model, as JSON. A refusal is `{ tool_call_error }` (LOK-TOOL-08). */
  value: unknown;
  error?: { code: string; message: string };
  unit?: JournalUnit;
  /** Agent runs to start once the step is committed. */
  launch?: string[];
};

/** A tool the engine itself carries out: it works on the tree of agent runs or waits for a person. */
export type EngineTool = {
  kind: "tool" | "human";
  /** What this agent is told about the tool; null when it may not use it. */
  offer(execution: Execution): ToolSpec | null;
  run(execution: Execution, planned: PlannedCall): Promise<CallOutcome>;
};

export function refusal(code: string, message: string): CallOutcome {
  return { value: { tool_call_error: message }, error: { code, message } };
}
