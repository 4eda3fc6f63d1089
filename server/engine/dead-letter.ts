import type { ModelError } from "@/server/models/model";
import { hasSideEffect, type Tool } from "@/server/tools/tool";
import type { Execution } from "./execution";
import { deriveId } from "./ids";
import type { JournalUnit } from "./journal/unit";
import type { PlannedCall } from "./next-step";
import { classify, type ErrorFacts } from "./resilience/error-catalog";
import { isRejection } from "./resilience/rejection";
import { keyOf } from "./run-tool";
import type { CallOutcome } from "./tools/engine-tool";

/** Calls that failed for good are kept for people (AGT-RES-13), in the commit of the step that failed. */

/** Of a tool. What only the agent can mend, such as wrong arguments or an answer of the tool that says no, is told to the agent alone. */
export function deadCall(
  execution: Execution,
  planned: PlannedCall,
  tool: Tool,
  { error, facts, key }: CallOutcome,
): JournalUnit {
  if (!error || !isDead(error.code, facts)) return {};
  const writes = hasSideEffect(tool);
  return letter(execution, planned.position, error, facts, {
    kind: "tool",
    operation: tool.name,
    arguments: planned.call.arguments || "{}",
    callKey: key ?? keyOf(execution, planned),
    repeats: !writes ? "reads" : tool.idempotency === "none" ? "unkeyed" : "keyed",
  });
}

/** Of a model: after its retries, with nobody to stand in. */
export function deadModelCall(
  execution: Execution,
  { position, operation, error }: { position: number; operation: string; error: ModelError },
): JournalUnit {
  if (error.code === "cancelled") return {};
  const call = { kind: "model", operation, arguments: null, callKey: null, repeats: "run" } as const;
  return letter(execution, position, { code: error.code, message: error.message }, error.facts, call);
}

type Letter = NonNullable<JournalUnit["deadLetters"]>[number];

function letter(
  execution: Execution,
  position: number,
  { code, message }: { code: string; message: string },
  facts: ErrorFacts | undefined,
  call: Pick<Letter, "kind" | "operation" | "arguments" | "callKey" | "repeats">,
): JournalUnit {
  const { stableCode, category } = classify(code, facts);
  const id = deriveId(execution.row.id, `dead letter ${position}`);
  return { deadLetters: [{ id, position, code, stableCode, category, message, at: execution.now(), ...call }] };
}

function isDead(code: string, facts: ErrorFacts | undefined): boolean {
  if (code === "refused") return facts?.category === "NETWORK" || facts?.category === "SERVER_ERROR";
  return isRejection(code) || code === "tool_failed" || code === "timeout" || code === "outcome_unknown";
}
