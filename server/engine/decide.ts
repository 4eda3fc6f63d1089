import type { ChosenOption, DecisionKind, ReasonSource } from "./events";
import type { Execution } from "./execution";
import { deriveId } from "./ids";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";

export type Choice = {
  position: number;
  /** Tells apart several decisions of one step. */
  ordinal?: number;
  kind: DecisionKind;
  chosen: ChosenOption[];
  reason: string | null;
  source: ReasonSource;
  /** What this choice was among; absent: what the model is offered at every turn. */
  offers?: readonly Offer[];
};

/** Records a decision at the moment it is taken. What the run has cost by then is filled in by the commit. */
export function decide(
  execution: Execution,
  choice: Choice,
): JournalUnit & { decisions: NonNullable<JournalUnit["decisions"]> } {
  const { offers = execution.offers, ordinal = 0, ...rest } = choice;
  const options = execution.journal.constant(offers);
  const row = { ...rest, ordinal, id: decisionId(execution, choice.position, ordinal), at: execution.now() };
  return {
    blobs: options.blobs,
    decisions: [{ ...row, options: options.hash }],
    events: [{ body: { kind: "decision.made", id: row.id } }],
  };
}

export function decisionId(execution: Execution, position: number, ordinal = 0): string {
  return deriveId(execution.row.id, `decision ${position}.${ordinal}`);
}

/** The decision of the model turn that asked for the call at this position. */
export function turnDecisionId(execution: Execution, callPosition: number): string {
  const turn = execution.steps.findLast(
    (step) => step.kind === "model" && step.status === "completed" && step.position < callPosition,
  );
  return decisionId(execution, turn?.position ?? 0);
}

/**
 * An ordinal no other execution of the agent run uses: for decisions a second execution takes anew at the same position,
 * such as the retries of a call.
 */
export function ownOrdinal(execution: Execution, nth: number): number {
  return 1_000 * (execution.row.epoch + 1) + nth;
}
