import { formatCount, formatMoney, formatPlural, formatTokens } from "@/components/ui/format";
import type { FindingEstimate, FindingView, PreparedCount } from "@/server/finding/schema";

export const BUILT_IN_LABEL = "Built-in (likeness of words)";

/** Whose model it is, of "provider/model". */
export const providerOf = (embeddingModel: string) => embeddingModel.split("/", 1)[0] ?? embeddingModel;

/** "412 of 9,800 done": what was refused is done with. */
export function doneWords({ ready, refused, total }: PreparedCount): string {
  const done = `${formatCount(ready + refused)} of ${formatCount(total)} done`;
  return refused === 0 ? done : `${done}, ${formatCount(refused)} of them refused by the model`;
}

/** What a list cannot show yet; null when nothing is missing. */
export function missingWords(
  { ready, refused, total }: PreparedCount,
  { noun, byMeaning }: { noun: "run" | "decision"; byMeaning: boolean },
): string | null {
  const waiting = total - ready - refused;
  const way = byMeaning ? "meaning" : "likeness";
  const sentences = [
    waiting > 0 && `${formatPlural(waiting, noun)} of ${formatCount(total)} cannot be found by ${way} yet.`,
    refused > 0 && `${formatPlural(refused, noun)} cannot be found this way: the model would not take the words.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** What choosing a model sends now, and costs. */
export function estimateWords({ runs, decisions, texts, tokens, costNanoUsd }: FindingEstimate): string {
  if (runs + decisions === 0) return "There is nothing to send now: no run has ended yet, or all of them are done.";
  const what = `${formatPlural(runs, "run")} and ${formatPlural(decisions, "decision")}`;
  const cost =
    costNanoUsd === null
      ? "What that costs is not known: nobody entered the price of this model"
      : costNanoUsd === 0
        ? "By the price entered for this model that is free"
        : `By the price entered for this model that is about ${formatMoney(costNanoUsd)}`;
  return `Now: ${what}, about ${formatPlural(texts, "text")} with ${formatTokens(tokens)} tokens. ${cost}. New ones and searches come on top.`;
}

/** What went to the provider so far; null where nothing did. */
export function sentWords({ embeddingModel, byMeaning, sent }: FindingView): string | null {
  if (!byMeaning || sent.texts === 0) return null;
  const cost = sent.costNanoUsd === null ? "at an unknown price" : `about ${formatMoney(sent.costNanoUsd)}`;
  return `Sent to “${providerOf(embeddingModel)}” so far: ${formatPlural(sent.texts, "text")}, about ${formatTokens(sent.tokens)} tokens, ${cost}.`;
}
