import type { z } from "zod";
import type { ToolSpec } from "@/server/models/model";
import type { Briefed } from "../briefing";
import type { Execution } from "../execution";
import type { JournalUnit } from "../journal/unit";
import type { PlannedCall } from "../next-step";
import type { ErrorFacts } from "../resilience/error-catalog";
import type { MadeCall } from "../side-call";

/** What a call came to: a value for the model, and what else is committed with its step. */
export type CallOutcome = {
  /** For the model, as JSON. A refusal is `{ tool_call_error }` (LOK-TOOL-08). */
  value: unknown;
  error?: { code: string; message: string };
  /** What is known of that error beside its code. */
  facts?: ErrorFacts;
  /** What a call that writes was sent under. */
  key?: string;
  unit?: JournalUnit;
  /** A model call of the engine's own that it took; its usage is in the unit. */
  made?: MadeCall;
  /** Agent runs to start once the step is committed. */
  launch?: string[];
};

/** A tool the engine itself carries out: it works on the tree of agent runs or waits for a person. */
export type EngineTool = {
  kind: "tool" | "human";
  /**
   * It works on what a call beside it or the queue of tasks may change: such calls are carried out and recorded one after the other, in
   * execution.alone(). It must not wait for a person or an agent.
   */
  isSerial?: true;
  /** What this agent is told about the tool; null when it may not use it. */
  offer(briefed: Briefed): ToolSpec | null;
  run(execution: Execution, planned: PlannedCall): Promise<CallOutcome>;
};

export function refusal(code: string, message: string): CallOutcome {
  return { value: { tool_call_error: message }, error: { code, message } };
}

/** A refusal that tells of itself as data: what an agent notes or tells is not kept, and that is all. */
export function mistake(code: string, message: string): CallOutcome {
  return { value: { status: "error", message }, error: { code, message } };
}

/** Of arguments that cannot be used: "id: Give it an id." */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".")}: ${issue.message}` : "These arguments cannot be used.";
}
