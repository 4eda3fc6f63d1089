import type { ModelError } from "@/server/models/model";
import { decide } from "./decide";
import type { Execution } from "./execution";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";
import { findModel } from "./reserve-call";
import { isAmong } from "./retry-policy";

const OFFERS: Offer[] = [
  { key: "fallback", kind: "action", label: "Ask another", description: "Ask the model that stands in for this one." },
  { key: "give_up", kind: "action", label: "Give up", description: "Do without an answer to this call." },
];

/**
 * The model that is asked when another cannot answer: what the agent names, else what the failing model's provider does for such an error
 * (AGT-RES-09). Null: none, or none that can be called.
 */
export async function findStandIn(execution: Execution, error: ModelError): Promise<string | null> {
  // Nobody failed; another model would be cut off as well.
  if (error.code === "cancelled") return null;
  const fallback = (await findModel(execution, execution.modelRef))?.guard?.policy.fallback;
  const named = fallback?.use && (fallback.on.length === 0 || isAmong(fallback.on, error)) ? fallback.use : null;
  const ref = execution.config.fallbackModel ?? named;
  if (ref === null || ref === execution.modelRef) return null;
  return (await findModel(execution, ref)) ? ref : null;
}

/** Records that another model is asked at `position` + 1 after the call at `position` failed. */
export function decideStandIn(
  execution: Execution,
  { position, ref, reason }: { position: number; ref: string; reason: string },
): JournalUnit {
  return decide(execution, {
    position,
    kind: "fallback",
    chosen: [{ option: "fallback", label: `Ask ${ref}`, position: position + 1, reason: null }],
    reason: `${reason}; ${ref} stands in for ${execution.modelRef}`,
    source: "policy",
    offers: OFFERS,
  });
}
