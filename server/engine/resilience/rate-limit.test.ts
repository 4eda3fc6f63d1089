import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RATE_STRATEGIES, type RatePart, resiliencePolicy } from "./policy";
import { type RateState, takeRate } from "./rate-limit";

const policyOf = (rate: object): RatePart => {
  const part = resiliencePolicy.parse({ rateLimit: { enabled: true, ...rate } }).rateLimit;
  if (!part) throw new Error("no rate limit");
  return part;
};

/** Times at which calls that ask after these pauses are let in. */
function admitted(policy: RatePart, pauses: readonly number[]): number[] {
  let state: RateState | null = null;
  let now = 1_000_000;
  const times: number[] = [];
  for (const pause of pauses) {
    now += pause;
    const admission = takeRate(policy, state, now);
    if (!admission.admitted) continue;
    state = admission.state;
    times.push(now);
  }
  return times;
}

/** The most calls within any stretch of that length. */
const densest = (times: readonly number[], windowMs: number) =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));

const pauses = fc.array(fc.nat(400), { maxLength: 120 });
const limits = fc.record({
  maxRequests: fc.integer({ min: 1, max: 10 }),
  windowMs: fc.integer({ min: 100, max: 2_000 }),
});
/** How many calls any stretch of one window may hold. */
const MOST = { sliding_window: 1, fixed_window: 2, token_bucket: 2, leaky_bucket: 1 };

describe.each(RATE_STRATEGIES)("%s", (strategy) => {
  test("lets in no more than it may, in any stretch of a window", () => {
    fc.assert(
      fc.property(limits, pauses, (limit, gaps) => {
        const times = admitted(policyOf({ strategy, ...limit }), gaps);
        const slack = strategy === "leaky_bucket" ? 1 : 0;
        expect(densest(times, limit.windowMs)).toBeLessThanOrEqual(MOST[strategy] * limit.maxRequests + slack);
      }),
    );
  });

  test("whoever waits as long as told is let in, if nobody came between", () => {
    fc.assert(
      fc.property(limits, pauses, (limit, gaps) => {
        const policy = policyOf({ strategy, ...limit });
        let state: RateState | null = null;
        let now = 1_000_000;
        for (const gap of gaps) {
          now += gap;
          const admission = takeRate(policy, state, now);
          if (admission.admitted) state = admission.state;
          else {
            expect(admission.waitMs).toBeGreaterThan(0);
            expect(admission.waitMs).toBeLessThanOrEqual(limit.windowMs);
            expect(takeRate(policy, state, now + Math.ceil(admission.waitMs) + 1).admitted).toBe(true);
          }
        }
      }),
      { examples: [[{ maxRequests: 1, windowMs: 103 }, [0, 0]]] },
    );
  });

  test("a state that another strategy left counts as none", () => {
    const other: RateState =
      strategy === "fixed_window"
        ? { is: "sliding_window", at: [5, 5] }
        : { is: "fixed_window", startedAt: 0, used: 9 };
    expect(takeRate(policyOf({ strategy, maxRequests: 1 }), other, 5).admitted).toBe(true);
  });
});

test("a fixed window bursts at its edge, a sliding one does not", () => {
  const edge = [900, 0, 100, 0, 0];
  expect(admitted(policyOf({ strategy: "fixed_window", maxRequests: 2, windowMs: 1_000 }), edge)).toHaveLength(4);
  expect(admitted(policyOf({ strategy: "sliding_window", maxRequests: 2, windowMs: 1_000 }), edge)).toHaveLength(2);
});

test("a token bucket takes a burst, a leaky one spaces calls evenly", () => {
  const limit = { maxRequests: 4, windowMs: 1_000 };
  const everyTenth = Array.from({ length: 200 }, () => 10);
  expect(admitted(policyOf({ strategy: "token_bucket", ...limit }), [0, 0, 0, 0, 0])).toHaveLength(4);
  const times = admitted(policyOf({ strategy: "leaky_bucket", ...limit }), everyTenth);
  expect(times.slice(1).every((at, i) => at - (times[i] ?? 0) === 250)).toBe(true);
});

test("a longer pace of an earlier policy is waited for no longer than today's", () => {
  const slow = policyOf({ strategy: "leaky_bucket", maxRequests: 1, windowMs: 86_400_000 });
  const quick = policyOf({ strategy: "leaky_bucket", maxRequests: 10, windowMs: 1_000 });
  const first = takeRate(slow, null, 1_000_000);
  if (!first.admitted) throw new Error("the first is let in");
  const refused = takeRate(quick, first.state, 1_000_000);
  expect(refused).toMatchObject({ admitted: false, waitMs: 100 });
  expect(takeRate(quick, refused.state ?? null, 1_000_100).admitted).toBe(true);
});
