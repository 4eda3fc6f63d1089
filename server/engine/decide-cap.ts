import { decide } from "./decide";
import type { Execution } from "./execution";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";

/** Among the decisions of one step: after the guard's, which may have let the call pass. */
const ORDINAL = 45;
const LABELS = { refuse: "Refuse it", wait: "Let it wait" };

const OFFERS: Offer[] = [
  { key: "carry_out", kind: "action", label: "Carry it out", description: "Allowed only below the cap." },
  { key: "wait", kind: "action", label: LABELS.wait, description: "A task is begun as soon as there is room." },
  { key: "refuse", kind: "action", label: LABELS.refuse, description: "Tell the agent, which decides what to do." },
];

/** A cap does not let a call be carried out, or not now (LOK-SUP-02, LOK-SUP-03): recorded with its step. */
export function decideCap(
  execution: Execution,
  position: number,
  reason: string,
  chosen: keyof typeof LABELS = "refuse",
): JournalUnit {
  return decide(execution, {
    ...{ position, ordinal: ORDINAL, kind: "limit", reason },
    chosen: [{ option: chosen, label: LABELS[chosen], position, reason: null }],
    source: "policy",
    offers: OFFERS,
  });
}
