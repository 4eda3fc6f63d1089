import { describe, expect, test } from "vitest";
import { ModelError, type ModelErrorCode } from "@/server/models/model";
import { CATEGORIES, classify, FAMILIES, type Family, MODEL_ERROR_TYPES, stableCode } from "./error-catalog";

test.each<[Family, string]>([
  ["LLM", "TROUPE-LLM"],
  ["Network", "TROUPE-NETWORK"],
  ["RateLimit", "TROUPE-RATELIMIT"],
  ["Timeout", "TROUPE-TIMEOUT"],
  ["Validation", "TROUPE-VALIDATION"],
  ["ApprovalRequired", "TROUPE-APPROVALREQUIRED"],
  ["ActionExecution", "TROUPE-ACTIONEXECUTION"],
  ["LLMCapability", "TROUPE-LLMCAPABILITY"],
  ["ToolCallNotSupported", "TROUPE-TOOLCALLNOTSUPPORTED"],
  ["BreakerOpen", "TROUPE-BREAKEROPEN"],
])("AGT-ERR-02: %s has the code %s for ever", (family, code) => {
  expect(stableCode(family)).toBe(code);
});

test("AGT-ERR-01: what may be retried says when and how often; the rest says neither", () => {
  for (const { retryable, delayMs, attempts } of Object.values(FAMILIES)) {
    expect([delayMs > 0, attempts > 0]).toEqual([retryable, retryable]);
  }
});

describe("AGT-ERR-03 and AGT-ERR-04: types of model errors", () => {
  test.each([
    ["unknown_model", "MODEL_NOT_FOUND", false, 0],
    ["unauthorized", "AUTHENTICATION_FAILED", false, 0],
    ["content_filtered", "CONTENT_FILTERED", false, 0],
    ["bad_request", "INVALID_REQUEST", false, 0],
    ["context_too_long", "CONTEXT_TOO_LONG", false, 0],
    ["malformed_arguments", "MALFORMED_TOOL_CALL", false, 0],
    ["capability_missing", "CAPABILITY_MISMATCH", false, 0],
    ["overloaded", "MODEL_OVERLOADED", true, 5_000],
    ["unavailable", "SERVER_ERROR", true, 2_000],
    ["malformed_reply", "UNKNOWN", true, 1_000],
  ])("%s is %s", (code, type, retryable, delayMs) => {
    expect(classify(code)).toMatchObject({ type, retryable, delayMs });
    expect(MODEL_ERROR_TYPES).toHaveProperty(type, { retryable, delayMs });
  });
});

test.each([
  ["rate_limited", {}, "TROUPE-RATELIMIT", 60_000, 5],
  ["rate_limited", { retryAfterMs: 30_000 }, "TROUPE-RATELIMIT", 30_000, 5],
  ["connection_lost", {}, "TROUPE-NETWORK", 2_000, 5],
  ["unreachable", {}, "TROUPE-NETWORK", 2_000, 5],
  ["timeout", {}, "TROUPE-TIMEOUT", 5_000, 3],
  ["timeout", { timeoutMs: 4_000 }, "TROUPE-TIMEOUT", 2_000, 3],
  ["timeout", { timeoutMs: 60_000 }, "TROUPE-TIMEOUT", 5_000, 3],
])("AGT-ERR-07, AGT-ERR-10, AGT-ERR-11: %s %o", (code, facts, stable, delayMs, attempts) => {
  expect(classify(code, facts)).toMatchObject({ stableCode: stable, retryable: true, delayMs, attempts });
});

test.each([
  ["NETWORK", true],
  ["PARAMETER", false],
  ["CLIENT_ERROR", false],
  ["SERVER_ERROR", true],
  ["VALIDATION", false],
  ["LLM", true],
  ["MCP", true],
  ["INVOCATION", false],
  ["UNKNOWN", false],
] as const)("AGT-ERR-09: a failed call of the category %s is worth a retry: %s", (category, retryable) => {
  expect(CATEGORIES[category].retryable).toBe(retryable);
  expect(classify("refused", { category })).toMatchObject({
    ...{ stableCode: "TROUPE-ACTIONEXECUTION", category, retryable },
    ...(retryable ? { delayMs: 1_000, attempts: 3 } : { delayMs: 0, attempts: 0 }),
  });
});

test.each([
  ["not_allowed", "TROUPE-APPROVALREQUIRED"],
  ["tools_unsupported", "TROUPE-TOOLCALLNOTSUPPORTED"],
  ["capability_missing", "TROUPE-LLMCAPABILITY"],
  ["a code of an engine tool", "TROUPE-VALIDATION"],
])("AGT-ERR-12: %s is never retried", (code, stable) => {
  expect(classify(code)).toMatchObject({ stableCode: stable, retryable: false, delayMs: 0, attempts: 0 });
});

test("a model's error is retried by the same word that its step keeps", () => {
  const codes: ModelErrorCode[] = [
    ...(["rate_limited", "overloaded", "unavailable", "unreachable", "timeout", "connection_lost"] as const),
    ...(["malformed_reply", "unauthorized", "unknown_model", "context_too_long", "content_filtered"] as const),
    ...(["tools_unsupported", "capability_missing", "bad_request", "breaker_open", "rate_exceeded"] as const),
  ];
  for (const code of codes)
    expect([code, new ModelError(code, "").retryable]).toEqual([code, classify(code).retryable]);
});
