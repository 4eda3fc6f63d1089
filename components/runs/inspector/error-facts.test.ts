import { expect, test } from "vitest";
import { detailsOf } from "@/server/engine/resilience/error-catalog";
import { errorFacts, errorLine } from "./error-facts";

const factsOf = (...of: Parameters<typeof detailsOf>) =>
  Object.fromEntries(errorFacts(detailsOf(...of)).map(({ word, value }) => [word, value]));

test("AGT-ERR-05: of a conversation that is too long both numbers of tokens are named", () => {
  expect(factsOf("context_too_long", { allowedTokens: 128_000, actualTokens: 150_000 })).toEqual({
    Type: "CONTEXT_TOO_LONG",
    "Takes at most": "128,000 tokens",
    "Was sent": "150,000 tokens",
    "Worth a retry": "No",
  });
});

test("AGT-ERR-07, AGT-ERR-10, AGT-ERR-11: waits, what is left, whom it was for, and limits", () => {
  expect(factsOf("rate_limited", { retryAfterMs: 30_000, remainingQuota: 0, host: "models.test", port: 443 })).toEqual({
    "Far side": "models.test:443",
    "Asked to wait": "30.0 s",
    "Calls left": "0",
    "Worth a retry": "Up to 5 times, after 30.0 s; the policy decides",
  });
  expect(factsOf("timeout", { timeoutMs: 4_000 })).toMatchObject({ "Time limit": "4.0 s" });
});

test("LLM-OBS-03: the status a failed call was answered with", () => {
  expect(factsOf("unavailable", { httpStatus: 503 })).toMatchObject({ "HTTP status": "503" });
  expect(factsOf("connection_lost")).not.toHaveProperty("HTTP status");
});

test("AGT-ERR-08: an error in one line", () => {
  const error = {
    ...{ code: "timeout", message: "no result\nafter 60 s" },
    ...{ stableCode: "TROUPE-TIMEOUT", category: "NETWORK", retryable: true },
  };
  expect(errorLine({ kind: "tool", name: "fetch", error })).toBe(
    "[TOOL] 'fetch' failed: no result after 60 s | NETWORK | may pass | TROUPE-TIMEOUT (timeout)",
  );
  expect(errorLine({ kind: "model", name: "small", error: { code: "old", message: "It broke." } })).toBe(
    "[MODEL] 'small' failed: It broke. | old",
  );
});
