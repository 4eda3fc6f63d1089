import { v7 as newId } from "uuid";
import type { ChosenOption, DecisionKind, ReasonSource } from "./events";
import { hashOf } from "./ids";
import type { Offer } from "./offers";
import { storedJson } from "./stored-json";

export type OutsideDecision = {
  workspaceId: string;
  runId: string;
  agentRunId: string;
  /** The step it answers; absent: the newest. */
  position?: number;
  kind: DecisionKind;
  /** Key of the option that was taken; options with labels of their own where several may be, or the words say more. */
  chosen: string | readonly Pick<ChosenOption, "option" | "label">[];
  reason: string;
  source: ReasonSource;
  offers: readonly Offer[];
};

/** The parameter of decide_outside(): a decision taken by a person, or by a rule that looks at a run from outside. */
export function outsideDecision({ chosen, offers, position, ...of }: OutsideDecision): string {
  const options = JSON.stringify(offers);
  const taken =
    typeof chosen === "string"
      ? [{ option: chosen, label: offers.find(({ key }) => key === chosen)?.label ?? chosen }]
      : chosen;
  return storedJson({
    id: newId(),
    w: of.workspaceId,
    r: of.runId,
    a: of.agentRunId,
    position,
    // Beside the decision that led to the question.
    ordinal: position === undefined ? 0 : 1,
    kind: of.kind,
    chosen: taken.map((option): ChosenOption => ({ ...option, position: position ?? null, reason: null })),
    reason: of.reason,
    source: of.source,
    options,
    hash: hashOf(options),
  });
}
