import { z } from "zod";
import type { BreakerPart } from "./policy";

/** The window is counted in slices: an old one leaves it as a whole. */
const SLICES = 10;

/**
 * AGT-RES-04. `round` rises with each change: how a call ended counts only in the round that let it in. Times are ms since 1970, the
 * database's.
 */
export const breakerState = z.discriminatedUnion("is", [
  z.object({
    is: z.literal("closed"),
    round: z.int(),
    slices: z.array(z.object({ at: z.number(), ok: z.int(), failed: z.int() })),
  }),
  z.object({ is: z.literal("open"), round: z.int(), until: z.number() }),
  z.object({ is: z.literal("half_open"), round: z.int(), trials: z.int(), passed: z.int(), lastTrialAt: z.number() }),
]);
export type BreakerState = z.infer<typeof breakerState>;

export const CLOSED: BreakerState = { is: "closed", round: 0, slices: [] };

export type BreakerAdmission =
  | { admitted: true; round: number; state: BreakerState }
  | { admitted: false; retryAfterMs: number; state: BreakerState };

/** Whether a call may be made now. */
export function admit(policy: BreakerPart, state: BreakerState, now: number): BreakerAdmission {
  if (state.is === "closed") return { admitted: true, round: state.round, state };
  if (state.is === "open") {
    if (now < state.until) return { admitted: false, retryAfterMs: state.until - now, state };
    const round = state.round + 1;
    return { admitted: true, round, state: { is: "half_open", round, trials: 1, passed: 0, lastTrialAt: now } };
  }
  if (state.passed >= policy.successThreshold) {
    // Fewer trials are asked for than when it was opened.
    const round = state.round + 1;
    return { admitted: true, round, state: { is: "closed", round, slices: [] } };
  }
  // A trial whose worker died says nothing any more: after a while another takes its place.
  const isForgotten = now >= state.lastTrialAt + policy.resetTimeoutMs;
  const trials = isForgotten ? state.passed : state.trials;
  if (trials >= policy.successThreshold) {
    return { admitted: false, retryAfterMs: state.lastTrialAt + policy.resetTimeoutMs - now, state };
  }
  return { admitted: true, round: state.round, state: { ...state, trials: trials + 1, lastTrialAt: now } };
}

/** How a call that was let in ended. `round` is that of its admission. */
export function settle(
  policy: BreakerPart,
  state: BreakerState,
  { round, ok, now }: { round: number; ok: boolean; now: number },
): BreakerState {
  if (round !== state.round || state.is === "open") return state;
  const opened: BreakerState = { is: "open", round: state.round + 1, until: now + policy.resetTimeoutMs };
  if (state.is === "half_open") {
    if (!ok) return opened;
    const passed = state.passed + 1;
    return passed < policy.successThreshold ? { ...state, passed } : { is: "closed", round: round + 1, slices: [] };
  }
  // Successes matter only where a share of all calls is asked for.
  if (ok && policy.failureRateThreshold === 0) return state;
  const slices = counted(policy, state.slices, { ok, now });
  return isTooMany(policy, slices) ? opened : { ...state, slices };
}

type Slice = Extract<BreakerState, { is: "closed" }>["slices"][number];

function counted(
  { failureWindowMs }: BreakerPart,
  slices: readonly Slice[],
  { ok, now }: { ok: boolean; now: number },
) {
  const width = failureWindowMs / SLICES;
  const at = Math.floor(now / width) * width;
  const kept = slices.filter((slice) => slice.at > now - failureWindowMs);
  const mine = kept.find((slice) => slice.at === at) ?? { at, ok: 0, failed: 0 };
  const counted = { at, ok: mine.ok + (ok ? 1 : 0), failed: mine.failed + (ok ? 0 : 1) };
  return [...kept.filter((slice) => slice.at !== at), counted];
}

function isTooMany({ failureThreshold, failureRateThreshold }: BreakerPart, slices: readonly Slice[]): boolean {
  const failed = slices.reduce((sum, slice) => sum + slice.failed, 0);
  if (failureRateThreshold === 0) return failed >= failureThreshold;
  const all = failed + slices.reduce((sum, slice) => sum + slice.ok, 0);
  return all >= failureThreshold && failed * 100 >= failureRateThreshold * all;
}
