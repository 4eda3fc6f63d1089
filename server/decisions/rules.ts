import type { OfferedOption } from "@/server/runs/schema";

/** What a decision is compared by: what was asked of the agent, the last thing said before it, and what was on offer. */
export type DecisionWords = { task: string; said: string; options: readonly OfferedOption[] };

/** Of each part: enough to tell what it is about. */
const LONGEST_PART = 2_000;

/**
 * The parts of a decision's words and how much each counts. Apart, because an agent's options are the same at every turn and often longer
 * than all else: in one text they would make each of its decisions like each other.
 */
export function comparedParts({ task, said, options }: DecisionWords): { text: string; weight: number }[] {
  const offered = options.map(({ label, description }) => `${label}: ${description}`).join("\n");
  return [
    { text: task.slice(0, LONGEST_PART), weight: 0.4 },
    { text: said.slice(0, LONGEST_PART), weight: 0.4 },
    { text: offered.slice(0, LONGEST_PART), weight: 0.2 },
  ];
}

/** One vector of the parts' vectors, such that two of them are as alike as their parts are, by weight. Of length 1 after `normalised`. */
export function weighted(vectors: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const [first = []] = vectors;
  // A product of two such vectors has each part's product times the weight: each side brings its root.
  return first.map((_, dimension) =>
    vectors.reduce((sum, vector, part) => sum + Math.sqrt(weights[part] ?? 0) * (vector[dimension] ?? 0), 0),
  );
}
