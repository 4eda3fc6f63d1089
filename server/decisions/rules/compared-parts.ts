import type { WeightedPart } from "@/server/retrieval/vector-of-parts";
import type { OfferedOption } from "@/server/runs/schema";

/** How vectors are made now. Raise it with any change of the words, their weights or the embedder: old vectors are then made anew. */
export const VECTOR_VERSION = 1;

/** What a decision is compared by: what was asked of the agent, the last thing said before it, and what was on offer. */
export type DecisionWords = { task: string; said: string; options: readonly OfferedOption[] };

/** Of each part: enough to tell what it is about. */
const LONGEST_PART = 2_000;

/**
 * The parts of a decision's words and how much each counts. Apart, because an agent's options are the same at every turn and often longer
 * than all else: in one text they would make each of its decisions like each other.
 */
export function comparedParts({ task, said, options }: DecisionWords): WeightedPart[] {
  const offered = options.map(({ label, description }) => `${label}: ${description}`).join("\n");
  return [
    { text: task.slice(0, LONGEST_PART), weight: 0.4 },
    { text: said.slice(0, LONGEST_PART), weight: 0.4 },
    { text: offered.slice(0, LONGEST_PART), weight: 0.2 },
  ];
}
