import { normalised } from "./normalised";
import type { Move, Part } from "./policy";

/**
 * The most common answer (AGT-ADV-15). Of answers that are equally common, the first in the order of the team stands.
 * @param parts completed ones, at least one
 */
export function takeMajority(parts: readonly Part[]): Move {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const answer = normalised(part.end?.text ?? "");
    groups.set(answer, [...(groups.get(answer) ?? []), part]);
  }
  const most = Math.max(...[...groups.values()].map(({ length }) => length));
  const winners = [...groups.values()].filter(({ length }) => length === most);
  const [first] = winners[0] ?? [];
  if (!first) throw new Error("a majority of nobody");
  const counted = `${most} of ${parts.length} results are this answer`;
  return {
    ...{ do: "answer", text: first.end?.text ?? "", source: "policy" },
    reason:
      winners.length > 1
        ? `${counted}, and ${winners.length - 1} more ${winners.length === 2 ? "answer is" : "answers are"} as common: a tie. The first in the order of the team stands.`
        : `${counted}, more than any other.`,
    chosen: { option: `agent:${first.agent}`, label: first.agent, position: null, reason: null },
  };
}
