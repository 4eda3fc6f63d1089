import fc from "fast-check";
import { expect, test } from "vitest";
import { admit, type BreakerState, CLOSED, settle } from "./breaker";
import { resiliencePolicy } from "./policy";

const policyOf = (breaker: object) => {
  const part = resiliencePolicy.parse({ breaker: { enabled: true, ...breaker } }).breaker;
  if (!part) throw new Error("no breaker");
  return part;
};
const POLICY = policyOf({ failureThreshold: 3, failureWindowMs: 10_000, resetTimeoutMs: 5_000, successThreshold: 2 });

/** Calls one after the other, each at its time, ended at once. */
function after(calls: { at: number; ok: boolean }[], policy = POLICY): BreakerState {
  return calls.reduce<BreakerState>((state, { at, ok }) => {
    const admission = admit(policy, state, at);
    return admission.admitted ? settle(policy, admission.state, { round: admission.round, ok, now: at }) : state;
  }, CLOSED);
}
const failing = (...times: number[]) => times.map((at) => ({ at, ok: false }));

test("it opens at the threshold, refuses at once, and says when to come back", () => {
  const open = after(failing(0, 1, 2));
  expect(open.is).toBe("open");
  expect(admit(POLICY, open, 1_000)).toMatchObject({ admitted: false, retryAfterMs: 4_002 });
});

test("failures further apart than the window do not open it", () => {
  expect(after(failing(0, 9_000, 20_000, 31_000)).is).toBe("closed");
});

test("after the reset time it lets as many trials in as must succeed, and closes when they do", () => {
  const open = after(failing(0, 1, 2));
  const first = admit(POLICY, open, 6_000);
  const second = admit(POLICY, first.state, 6_001);
  expect([first.admitted, second.admitted, admit(POLICY, second.state, 6_002).admitted]).toEqual([true, true, false]);
  const round = first.admitted ? first.round : -1;
  const one = settle(POLICY, second.state, { round, ok: true, now: 6_100 });
  expect(one.is).toBe("half_open");
  expect(settle(POLICY, one, { round, ok: true, now: 6_200 }).is).toBe("closed");
  expect(settle(POLICY, one, { round, ok: false, now: 6_200 })).toMatchObject({ is: "open", until: 11_200 });
});

test("a trial nobody ever reports makes room for another", () => {
  const first = admit(POLICY, after(failing(0, 1, 2)), 6_000);
  const second = admit(POLICY, first.state, 6_000);
  expect(admit(POLICY, second.state, 10_999)).toMatchObject({ admitted: false, retryAfterMs: 1 });
  expect(admit(POLICY, second.state, 11_000).admitted).toBe(true);
});

test("with a rate, a share of the calls opens it, and never fewer calls than the threshold", () => {
  const half = policyOf({ failureThreshold: 4, failureRateThreshold: 50 });
  const calls = (...ok: boolean[]) =>
    after(
      ok.map((each, at) => ({ at, ok: each })),
      half,
    ).is;
  expect(calls(false, false, false)).toBe("closed");
  expect(calls(true, true, false, true, false)).toBe("closed");
  expect(calls(true, true, false, false)).toBe("open");
});

test("a call that was let in before it changed changes nothing by its end", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.nat(20_000), (ok, now) => {
      const open = after(failing(0, 1, 2));
      expect(settle(POLICY, open, { round: 0, ok, now })).toEqual(open);
      const trial = admit(POLICY, open, 5_002);
      expect(settle(POLICY, trial.state, { round: 0, ok, now })).toEqual(trial.state);
    }),
  );
});

test("whatever happens, it never has more trials under way than must succeed, and opens only with enough failures", () => {
  const step = fc.record({ wait: fc.nat(8_000), ok: fc.boolean(), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state: BreakerState = CLOSED;
      let now = 0;
      const failures: number[] = [];
      for (const { wait, ok, ends } of steps) {
        now += wait;
        const before: BreakerState = state;
        const admission = admit(POLICY, state, now);
        state = admission.state;
        if (!admission.admitted) {
          expect(before.is).not.toBe("closed");
          expect(admission.retryAfterMs).toBeGreaterThan(0);
          expect(admit(POLICY, state, now + admission.retryAfterMs).admitted).toBe(true);
          continue;
        }
        if (state.is === "half_open") expect(state.trials).toBeLessThanOrEqual(POLICY.successThreshold);
        if (!ends) continue;
        if (!ok) failures.push(now);
        const was: string = state.is;
        state = settle(POLICY, state, { round: admission.round, ok, now });
        if (was === "closed" && state.is === "open") {
          const recent = failures.filter((at) => at > now - POLICY.failureWindowMs * 1.1);
          expect(recent.length).toBeGreaterThanOrEqual(POLICY.failureThreshold);
        }
      }
    }),
  );
});

test("asked for fewer trials than when it opened, it closes with those that passed", () => {
  const open = after(failing(0, 1, 2));
  const trial = admit(POLICY, open, 6_000);
  const passed = settle(POLICY, trial.state, { round: trial.admitted ? trial.round : -1, ok: true, now: 6_100 });
  expect(admit(policyOf({ successThreshold: 1 }), passed, 6_200)).toMatchObject({
    admitted: true,
    state: { is: "closed" },
  });
});
