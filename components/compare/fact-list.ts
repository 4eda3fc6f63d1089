import { contextLine } from "@/components/runs/context-words";
import { formatCount, formatDuration, formatMoney, formatPlural } from "@/components/ui/format";
import { statusWord } from "@/components/ui/status-words";
import type { RunFacts } from "@/server/runs/compare/schema";

export type Fact = {
  name: string;
  left: string;
  right: string;
  /** Of B against A, in words; null: the same. */
  difference: string | null;
};

/** What two runs are and took, and how the second differs from the first. */
export function listFacts(left: RunFacts, right: RunFacts): Fact[] {
  const words = (name: string, of: (run: RunFacts) => string): Fact => ({
    ...{ name, left: of(left), right: of(right) },
    difference: of(left) === of(right) ? null : "different",
  });
  const amount = (name: string, of: (run: RunFacts) => number, write: (amount: number) => string, less?: string) => ({
    ...{ name, left: write(of(left)), right: write(of(right)) },
    difference: differenceWords(of(right) - of(left), write, less),
  });
  const count = (name: string, of: (run: RunFacts) => number) => amount(name, of, formatCount, "fewer");
  return [
    ...stateFacts(words("State", ({ status, statusReason }) => statusWord(status, statusReason))),
    words("Team or agent", ({ target }) => `${target.name} v${target.version}`),
    words("Model", ({ model }) => model),
    words("Request", ({ input }) => input),
    ...(left.about || right.about ? [words("About, at the start", ({ about }) => contextLine(about))] : []),
    costFact(left, right),
    count("Tokens", ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    ...keptFacts(left, right),
    amount("At work", ({ activeMs }) => activeMs, formatDuration),
    elapsedFact(left, right),
    count("Agent runs", ({ agents }) => agents),
    count("Model calls", ({ steps }) => steps.model + steps.summary),
    count("Tool calls", ({ steps }) => steps.tool),
    count("Searches in knowledge", ({ steps }) => steps.retrieval),
    count("Asked of people", ({ steps }) => steps.human),
    count("Decisions", ({ decisions }) => decisions),
    count("Failed steps", ({ failedSteps }) => failedSteps),
  ];
}

/** The states stand beside the runs' names: only that they differ is told again. */
function stateFacts(state: Fact): Fact[] {
  return state.difference === null ? [] : [state];
}

/** "+ $0.0040 more", "− 12 fewer"; null: the same. */
function differenceWords(by: number, write: (amount: number) => string, less = "less"): string | null {
  if (by === 0) return null;
  return by > 0 ? `+ ${write(by)} more` : `− ${write(-by)} ${less}`;
}

/** What is left out of an amount because its price is unknown makes the difference unknown, too. */
function costFact(left: RunFacts, right: RunFacts): Fact {
  const write = ({ costNanoUsd, unpricedCalls }: RunFacts) =>
    unpricedCalls === 0
      ? formatMoney(costNanoUsd)
      : `${costNanoUsd === 0 ? "unknown" : `${formatMoney(costNanoUsd)} or more`}: ${formatPlural(unpricedCalls, "call")} without a known cost`;
  const isKnown = left.unpricedCalls === 0 && right.unpricedCalls === 0;
  return {
    ...{ name: "Cost", left: write(left), right: write(right) },
    difference: isKnown ? differenceWords(right.costNanoUsd - left.costNanoUsd, formatMoney) : "not known",
  };
}

/** What a fork kept cost something, but not in the fork. */
function keptFacts(left: RunFacts, right: RunFacts): Fact[] {
  if (left.reused.steps === 0 && right.reused.steps === 0) return [];
  const write = ({ reused }: RunFacts) =>
    reused.steps === 0
      ? "nothing"
      : `${formatPlural(reused.steps, "step")}, ${formatMoney(reused.costNanoUsd)} and ${formatCount(reused.tokens)} tokens there`;
  return [{ name: "Kept from another run", left: write(left), right: write(right), difference: "not counted again" }];
}

function elapsedFact(left: RunFacts, right: RunFacts): Fact {
  const write = ({ elapsedMs }: RunFacts) => (elapsedMs === null ? "not ended" : formatDuration(elapsedMs));
  const differenceOf = () => {
    if (left.elapsedMs === null && right.elapsedMs === null) return null;
    if (left.elapsedMs === null || right.elapsedMs === null) return "not known";
    return differenceWords(right.elapsedMs - left.elapsedMs, formatDuration);
  };
  return { name: "From start to end", left: write(left), right: write(right), difference: differenceOf() };
}
