import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelError, type ModelErrorCode } from "@/server/models/model";
import { EFFECT_RETRY, judgeEffectRetry, judgeRetry, MODEL_RETRY } from "./retry-policy";

const PASSING: ModelErrorCode[] = ["rate_limited", "unavailable", "timeout", "connection_lost", "malformed_reply"];
const FINAL: ModelErrorCode[] = ["unauthorized", "unknown_model", "context_too_long", "bad_request", "cancelled"];
const error = (code: ModelErrorCode, retryAfterMs?: number) =>
  new ModelError(code, "it failed", retryAfterMs === undefined ? {} : { retryAfterMs });
const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("what will not get better is not tried again", () => {
  for (const code of FINAL) {
    expect(judgeRetry(error(code), 1, 0)).toEqual({ retry: false, reason: `${code} is not worth a retry` });
  }
});

test("passing errors are tried again three times, then given up", () => {
  for (const code of PASSING) {
    const verdicts = [1, 2, 3, 4, 5].map((failures) => judgeRetry(error(code), failures, 0.5).retry);
    expect(verdicts).toEqual([true, true, true, false, false]);
  }
});

test("the pause doubles from half a second, with jitter over its upper half", () => {
  expect([1, 2, 3].map((n) => judgeRetry(error("timeout"), n, 0))).toMatchObject([
    { delayMs: 250 },
    { delayMs: 500 },
    { delayMs: 1000 },
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MODEL_RETRY.maxAttempts }), jitter, (failures, random) => {
      const verdict = judgeRetry(error("unavailable"), failures, random);
      const full = 500 * 2 ** (failures - 1);
      expect(verdict.retry && verdict.delayMs >= full / 2 && verdict.delayMs <= full).toBe(true);
    }),
  );
});

test("a wait the provider asks for is kept, up to five minutes, and drawn out by up to a quarter so that callers part", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), jitter, (retryAfterMs, random) => {
      const verdict = judgeRetry(error("rate_limited", retryAfterMs), 1, random);
      if (retryAfterMs > 300_000) expect(verdict.retry).toBe(false);
      else
        expect(verdict.retry && verdict.delayMs >= retryAfterMs && verdict.delayMs <= retryAfterMs * 1.25 + 1).toBe(
          true,
        );
    }),
  );
  const delays = [0, 0.5, 0.99].map((random) => judgeRetry(error("rate_limited", 2_000), 1, random));
  expect(delays).toMatchObject([{ delayMs: 2_000 }, { delayMs: 2_250 }, { delayMs: 2_495 }]);
});

test("the reason says what failed, how long it waits and which retry it is", () => {
  expect(judgeRetry(error("rate_limited", 2_000), 2, 0).reason).toBe(
    "rate_limited; the provider asked to wait 2.0 s; retry 2 of 3",
  );
  expect(judgeRetry(error("timeout"), 1, 0).reason).toBe("timeout; waiting 0.3 s; retry 1 of 3");
  expect(judgeRetry(error("timeout"), 4, 0).reason).toBe("timeout: 3 retries were used");
});

const lost = { code: "tool_failed", message: "the answer was lost" };

test("an effect whose answer was lost is sent again twice, the second time after a longer pause", () => {
  expect(judgeEffectRetry(lost, 1, 0)).toEqual({
    retry: true,
    delayMs: 100,
    reason: "the answer was lost; waiting 0.1 s; retry 1 of 2",
  });
  expect(judgeEffectRetry(lost, 2, 0)).toMatchObject({ retry: true, delayMs: 400 });
  expect(judgeEffectRetry(lost, 3, 0)).toEqual({
    retry: false,
    reason: "the answer was lost; 2 retries were used",
  });
});

test("an effect is not sent again after an error its policy leaves out", () => {
  const policy = { ...EFFECT_RETRY, noRetryOn: ["timeout"] };
  expect(judgeEffectRetry({ ...lost, code: "timeout" }, 1, 0, policy)).toMatchObject({ retry: false });
  expect(judgeEffectRetry(lost, 1, 0, policy)).toMatchObject({ retry: true });
  expect(judgeEffectRetry(lost, 1, 0, { ...policy, noRetryOn: [], retryOn: ["timeout"] })).toMatchObject({
    retry: false,
  });
});
