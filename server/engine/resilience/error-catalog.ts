import { type ErrorDetails, type ToldFacts, toldFacts } from "./error-details";

/**
 * What every stored error is (AGT-ERR-01…14): a family with a stable code, a category, and whether and when it is worth another try. Codes
 * and categories never change their meaning: they are counted, filtered by and named in policies.
 */

/** AGT-ERR-01, AGT-ERR-07, AGT-ERR-10…12 by family, from the special to the general (AGT-ERR-14). Delays in ms. */
export const FAMILIES = {
  RateLimit: { retryable: true, delayMs: 60_000, attempts: 5 },
  Network: { retryable: true, delayMs: 2_000, attempts: 5 },
  Timeout: { retryable: true, delayMs: 5_000, attempts: 3 },
  ToolCallNotSupported: { retryable: false, delayMs: 0, attempts: 0 },
  LLMCapability: { retryable: false, delayMs: 0, attempts: 0 },
  LLM: { retryable: true, delayMs: 1_000, attempts: 3 },
  ApprovalRequired: { retryable: false, delayMs: 0, attempts: 0 },
  Validation: { retryable: false, delayMs: 0, attempts: 0 },
  ActionExecution: { retryable: false, delayMs: 0, attempts: 0 },
  /** Ours: a policy or a limit let the call not be made (AGT-RES-12). */
  BreakerOpen: { retryable: true, delayMs: 1_000, attempts: 3 },
  BulkheadFull: { retryable: true, delayMs: 1_000, attempts: 3 },
  RateExceeded: { retryable: true, delayMs: 1_000, attempts: 3 },
  BudgetExhausted: { retryable: false, delayMs: 0, attempts: 0 },
  Engine: { retryable: false, delayMs: 0, attempts: 0 },
} as const;
export type Family = keyof typeof FAMILIES;

/** AGT-ERR-02: the family's name in capitals, in no language's own way. */
export function stableCode(family: Family): string {
  return `TROUPE-${family.toUpperCase()}`;
}

/** AGT-ERR-03 and AGT-ERR-04, types of the family LLM. A type that is not retried has no delay, also where the source gives one. */
export const MODEL_ERROR_TYPES = {
  MODEL_NOT_FOUND: { retryable: false, delayMs: 0 },
  AUTHENTICATION_FAILED: { retryable: false, delayMs: 0 },
  CONTENT_FILTERED: { retryable: false, delayMs: 0 },
  INVALID_REQUEST: { retryable: false, delayMs: 0 },
  MODEL_OVERLOADED: { retryable: true, delayMs: 5_000 },
  CONTEXT_TOO_LONG: { retryable: false, delayMs: 0 },
  SERVER_ERROR: { retryable: true, delayMs: 2_000 },
  MALFORMED_TOOL_CALL: { retryable: false, delayMs: 0 },
  CAPABILITY_MISMATCH: { retryable: false, delayMs: 0 },
  UNKNOWN: { retryable: true, delayMs: 1_000 },
} as const;
type ModelErrorType = keyof typeof MODEL_ERROR_TYPES;

/** AGT-ERR-09, categories of failed calls of tools. */
export const CATEGORIES = {
  NETWORK: { retryable: true },
  PARAMETER: { retryable: false },
  CLIENT_ERROR: { retryable: false },
  SERVER_ERROR: { retryable: true },
  VALIDATION: { retryable: false },
  LLM: { retryable: true },
  MCP: { retryable: true },
  INVOCATION: { retryable: false },
  UNKNOWN: { retryable: false },
} as const;
export type ErrorCategory = keyof typeof CATEGORIES;

/** What is kept with a failed step. `delayMs` and `attempts` are what the catalogue suggests; what is done is the policy's. */
export type ErrorClass = {
  stableCode: string;
  type: ModelErrorType | null;
  category: ErrorCategory;
  retryable: boolean;
  delayMs: number;
  attempts: number;
};

type Entry = { family: Family; category: ErrorCategory; type?: ModelErrorType };

/** Every code a step may be stored with; what is not listed is a refusal of the engine's tools. */
const CODES: Record<string, Entry> = {
  rate_limited: { family: "RateLimit", category: "LLM" },
  overloaded: { family: "LLM", category: "LLM", type: "MODEL_OVERLOADED" },
  unavailable: { family: "LLM", category: "LLM", type: "SERVER_ERROR" },
  unreachable: { family: "Network", category: "NETWORK" },
  connection_lost: { family: "Network", category: "NETWORK" },
  timeout: { family: "Timeout", category: "NETWORK" },
  malformed_reply: { family: "LLM", category: "LLM", type: "UNKNOWN" },
  unauthorized: { family: "LLM", category: "LLM", type: "AUTHENTICATION_FAILED" },
  unknown_model: { family: "LLM", category: "LLM", type: "MODEL_NOT_FOUND" },
  context_too_long: { family: "LLM", category: "LLM", type: "CONTEXT_TOO_LONG" },
  content_filtered: { family: "LLM", category: "LLM", type: "CONTENT_FILTERED" },
  tools_unsupported: { family: "ToolCallNotSupported", category: "LLM", type: "CAPABILITY_MISMATCH" },
  capability_missing: { family: "LLMCapability", category: "LLM", type: "CAPABILITY_MISMATCH" },
  bad_request: { family: "LLM", category: "LLM", type: "INVALID_REQUEST" },
  malformed_arguments: { family: "LLM", category: "PARAMETER", type: "MALFORMED_TOOL_CALL" },
  not_allowed: { family: "ApprovalRequired", category: "VALIDATION" },
  unknown_tool: { family: "ActionExecution", category: "INVOCATION" },
  tool_failed: { family: "ActionExecution", category: "UNKNOWN" },
  refused: { family: "ActionExecution", category: "CLIENT_ERROR" },
  outcome_unknown: { family: "ActionExecution", category: "UNKNOWN" },
  agent_failed: { family: "ActionExecution", category: "LLM" },
  breaker_open: { family: "BreakerOpen", category: "NETWORK" },
  bulkhead_full: { family: "BulkheadFull", category: "NETWORK" },
  rate_exceeded: { family: "RateExceeded", category: "NETWORK" },
  budget_exhausted: { family: "BudgetExhausted", category: "VALIDATION" },
  internal: { family: "Engine", category: "UNKNOWN" },
};

/** What the far side or the tool said beside the code. */
export type ErrorFacts = {
  /** Where the tool knows better than its code. */
  category?: ErrorCategory | undefined;
} & { [K in keyof ToldFacts]?: ToldFacts[K] | undefined };

export function detailsOf(code: string, facts: ErrorFacts = {}): ErrorDetails {
  const { type, delayMs, attempts } = classify(code, facts);
  return { type, delayMs, attempts, ...toldFacts.strip().parse(facts) };
}

/** What a step keeps of its error's class. */
export function keptClass(
  code: string,
  facts: ErrorFacts = {},
): Pick<ErrorClass, "stableCode" | "category" | "retryable"> {
  const { stableCode, category, retryable } = classify(code, facts);
  return { stableCode, category, retryable };
}

/** What an error is by the code it is stored with. */
export function classify(code: string, { category, retryAfterMs, timeoutMs }: ErrorFacts = {}): ErrorClass {
  const entry = CODES[code] ?? { family: "Validation", category: "VALIDATION" };
  const family = FAMILIES[entry.family];
  const type = entry.type ?? null;
  const by = entry.family === "LLM" && type ? MODEL_ERROR_TYPES[type] : family;
  // A tool's error is as its category says; one with a nested model error, as that says.
  const retryable = entry.family === "ActionExecution" && category ? CATEGORIES[category].retryable : by.retryable;
  const delayMs =
    retryAfterMs ?? (entry.family === "Timeout" && timeoutMs ? Math.min(timeoutMs / 2, family.delayMs) : by.delayMs);
  return {
    stableCode: stableCode(entry.family),
    type,
    category: category ?? entry.category,
    retryable,
    delayMs: retryable ? delayMs || 1_000 : 0,
    attempts: retryable ? family.attempts || 3 : 0,
  };
}
