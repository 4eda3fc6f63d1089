import { z } from "zod";
import type { RatePart } from "./policy";

/** What a strategy remembers. Times are ms since 1970, the database's. */
export const rateState = z.discriminatedUnion("is", [
  z.object({ is: z.literal("fixed_window"), startedAt: z.number(), used: z.int() }),
  z.object({ is: z.literal("sliding_window"), at: z.array(z.number()) }),
  z.object({ is: z.literal("token_bucket"), tokens: z.number(), at: z.number() }),
  z.object({ is: z.literal("leaky_bucket"), nextAt: z.number() }),
]);
export type RateState = z.infer<typeof rateState>;

/** `waitMs`: earliest time at which it is worth asking again. */
export type RateAdmission =
  | { admitted: true; state: RateState }
  | { admitted: false; waitMs: number; state?: RateState };

type Take = (policy: RatePart, state: RateState | null, now: number) => RateAdmission;

/** One more call at `now` (AGT-RES-06). A state of another strategy, left by an earlier policy, counts as none. */
export const takeRate: Take = (policy, state, now) => STRATEGIES[policy.strategy](policy, state, now);

const STRATEGIES: Record<RatePart["strategy"], Take> = {
  /** Up to two windows' worth around the edge of a window. */
  fixed_window({ maxRequests, windowMs }, state, now) {
    const startedAt = Math.floor(now / windowMs) * windowMs;
    const used = state?.is === "fixed_window" && state.startedAt === startedAt ? state.used : 0;
    if (used >= maxRequests) return { admitted: false, waitMs: startedAt + windowMs - now };
    return { admitted: true, state: { is: "fixed_window", startedAt, used: used + 1 } };
  },

  /** Never more than `maxRequests` in any stretch of `windowMs`. */
  sliding_window({ maxRequests, windowMs }, state, now) {
    const at = state?.is === "sliding_window" ? state.at.filter((time) => time > now - windowMs) : [];
    const oldest = at[at.length - maxRequests];
    if (oldest !== undefined) return { admitted: false, waitMs: oldest + windowMs - now };
    return { admitted: true, state: { is: "sliding_window", at: [...at, now] } };
  },

  /** A burst of `maxRequests` at once, then as many as flow in. */
  token_bucket({ maxRequests, windowMs }, state, now) {
    const aMs = maxRequests / windowMs;
    const had = state?.is === "token_bucket" ? state : { tokens: maxRequests, at: now };
    const tokens = Math.min(maxRequests, had.tokens + Math.max(0, now - had.at) * aMs);
    // Rounded up, a whole token may seem to take longer than the window it comes in.
    if (tokens < 1) return { admitted: false, waitMs: Math.min(windowMs, (1 - tokens) / aMs) };
    return { admitted: true, state: { is: "token_bucket", tokens: tokens - 1, at: now } };
  },

  /** One after the other, evenly. */
  leaky_bucket({ maxRequests, windowMs }, state, now) {
    const paceMs = windowMs / maxRequests;
    const before = state?.is === "leaky_bucket" ? state.nextAt : now;
    // A longer pace than now's, from an earlier policy, is not waited for.
    const nextAt = Math.min(before, now + paceMs);
    if (nextAt <= now) return { admitted: true, state: { is: "leaky_bucket", nextAt: now + paceMs } };
    return {
      admitted: false,
      waitMs: nextAt - now,
      ...(nextAt < before ? { state: { is: "leaky_bucket", nextAt } } : {}),
    };
  },
};
