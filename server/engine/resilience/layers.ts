import type { CallSlots } from "../call-slots";
import type { Gates, Subject } from "./gates";
import type { BreakerPart, BulkheadPart, RatePart } from "./policy";
import { Rejection } from "./rejection";
import type { Layer } from "./resilient";

/** Each is undefined where its part is off, so that it costs nothing. */

export function rateLayer<T>(
  gates: Gates,
  subject: Subject,
  policy: RatePart | null,
  signal: AbortSignal,
): Layer<T> | undefined {
  if (!policy) return undefined;
  return async (next) => {
    await gates.takeRate(subject, policy, signal);
    return next();
  };
}

/** Slots of workers that die are free again, see CallSlots. */
export function bulkheadLayer<T>(
  slots: CallSlots,
  subject: Subject,
  policy: BulkheadPart | null,
  signal: AbortSignal,
): Layer<T> | undefined {
  if (!policy) return undefined;
  const { workspaceId, key } = subject;
  return async (next) => {
    const patience = AbortSignal.timeout(policy.maxWaitMs);
    const waiting = AbortSignal.any([signal, patience]);
    const release = await slots
      .take({ workspaceId, key, most: policy.maxConcurrent }, waiting)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (!patience.aborted) throw error;
        const message = `${subject.name} may have ${policy.maxConcurrent} calls under way, and none ended in time.`;
        throw new Rejection("bulkhead_full", message, null);
      });
    try {
      return await next();
    } finally {
      release();
    }
  };
}

/** `counts`: whether an error says that the far side is in trouble; null: it says nothing of it. */
export function breakerLayer<T>(
  gates: Gates,
  subject: Subject,
  policy: BreakerPart | null,
  counts: (error: unknown) => boolean | null,
): Layer<T> | undefined {
  if (!policy) return undefined;
  return async (next) => {
    const report = await gates.passBreaker(subject, policy);
    let result: T;
    try {
      result = await next();
    } catch (error) {
      const isTrouble = counts(error);
      if (isTrouble !== null) void report(!isTrouble);
      throw error;
    }
    // Not waited for: what is known of the call is to be recorded, whoever is told to stop meanwhile.
    void report(true);
    return result;
  };
}
