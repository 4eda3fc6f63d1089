import { expect, test } from "vitest";
import { type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import { policySummary, policyWords } from "./policy-words";

const policy = (idempotency: Partial<ToolPolicy["idempotency"]> = {}, timeoutMs = 60_000) =>
  toolPolicy.parse({ timeoutMs, idempotency });

test("how a tool is usually called", () => {
  expect(policyWords(policy(), true)).toEqual([
    "A call is given up after 1 min.",
    "Every call is made, also one with the same arguments as another.",
    "The server keeps no keys: after a crash in the middle of a call a person is asked what happened.",
  ]);
  expect(policySummary(policy(), true)).toBeNull();
});

test("of a tool that only reads, nothing but its time counts", () => {
  const strange = policy({ strategy: "hash_input" }, 5_000);
  expect(policyWords(strange, false)).toEqual(["A call is given up after 5 s."]);
  expect(policySummary(strange, false)).toBe("given up after 5 s");
});

test("a call that is made once, with a key the server must be sent", () => {
  const strict = policy({ hint: "required", strategy: "explicit", fields: ["order.id", "to"], ttlSeconds: 86_400 });
  expect(policyWords(strict, true).slice(1)).toEqual([
    "Calls with the same “order.id” and “to”, in whatever run, are one call.",
    "For 24 h the agent gets what it came to before, and nothing is sent. One that failed is made again.",
    "The server does what one key asks for once: after a crash the call is sent again under its key. A call whose key is missing is not sent.",
  ]);
  expect(policySummary(strict, true)).toBe("same call once in 24 h, key required");
});

test.each([
  [{ scope: "turn" }, 1, "Calls with the same arguments in the same turn of an agent are one call."],
  [{ cacheFailures: true }, 2, "For 1 h the agent gets what it came to before, and nothing is sent. A failure, too."],
  [
    { cacheFailures: true, onHit: "return_cached_if_success" },
    2,
    "For 1 h the agent gets what it came to before, and nothing is sent. One that failed is made again.",
  ],
  [{ onHit: "fail_fast" }, 2, "For 1 h after one that succeeded, the same call is refused, and the agent is told."],
] as const)("%j", (also, nth, words) => {
  expect(policyWords(policy({ strategy: "hash_input", ...also }), true)[nth]).toBe(words);
});

test("how its calls are guarded is said last, with what happens where nothing is said of retries", () => {
  const guarded = toolPolicy.parse({ resilience: { breaker: { enabled: true } } });
  expect(policyWords(guarded, false).at(-1)).toBe(
    "Guarded by: no retries, breaker opens after 5 failures in 1 min, for 30 s. What is off here is as its agents say.",
  );
  expect(policySummary(guarded, false)).toBe("no retries, breaker opens after 5 failures in 1 min, for 30 s");
});
