import type { ChosenOption } from "../events";
import type { Execution } from "../execution";
import { type Offer, offersOfAgents } from "../offers";
import type { Conclusion } from "./policy";

const END_OFFERS: Offer[] = [
  { key: "answer", kind: "action", label: "Answer", description: "End the run with what its agents came to." },
  { key: "fail", kind: "action", label: "Fail", description: "End the run without an answer." },
];

export const ANSWER: ChosenOption = { option: "answer", label: "Answer", position: null, reason: null };
export const FAIL: ChosenOption = { option: "fail", label: "Fail", position: null, reason: null };

/** As a decision says it. */
export function chosenOf({ chosen = ANSWER, reason, source }: Conclusion) {
  return { chosen: [chosen], reason, source };
}

/** How an engine-led run may end: with the result of one of its agents, or otherwise. */
export function endOffers(execution: Execution): Offer[] {
  return [...agentOffers(execution), ...END_OFFERS];
}

/** The agents below the root, in the words in which a model would be offered them. */
export function agentOffers(execution: Execution): Offer[] {
  return offersOfAgents(execution.spawnable);
}
