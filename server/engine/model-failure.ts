import { isPassing } from "@/server/database-failure";
import { ModelError } from "@/server/models/model";
import { type Choice, decide } from "./decide";
import type { Execution } from "./execution";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";
import { findModel } from "./reserve-call";
import type { RetryPart } from "./resilience/policy";
import { Rejection } from "./resilience/rejection";
import { MODEL_RETRY, type RetryVerdict } from "./retry-policy";

const RETRY_OFFERS: Offer[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Make the same model call again after a pause." },
  { key: "give_up", kind: "action", label: "Give up", description: "Do without an answer to this call." },
];

/** Whatever a model client threw, as an error with a code. What the database threw while it was away is thrown on: it is no answer. */
export function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (isPassing(error)) throw error;
  if (error instanceof Rejection) {
    const { code, retryAfterMs } = error;
    return new ModelError(code, error.message, retryAfterMs === null ? {} : { retryAfterMs });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError("bad_request", `The model client failed: ${message}`);
}

/** How calls of a model are retried: as its provider's policy says. */
export async function retryOf(execution: Execution, modelRef: string): Promise<RetryPart> {
  return (await findModel(execution, modelRef))?.guard?.policy.retry ?? MODEL_RETRY;
}

/** Records whether a failed model call is made again. `next`: position of the call that is. */
export function decideRetry(
  execution: Execution,
  { verdict, next, ...place }: Pick<Choice, "position" | "ordinal"> & { verdict: RetryVerdict; next: number },
): JournalUnit {
  const chosen = verdict.retry
    ? { option: "retry", label: "Retry", position: next, reason: null }
    : { option: "give_up", label: "Give up", position: null, reason: null };
  return decide(execution, {
    ...place,
    kind: "retry",
    chosen: [chosen],
    reason: verdict.reason,
    source: "runtime-rule",
    offers: RETRY_OFFERS,
  });
}
