import { formatExactMoney, formatTokens } from "@/components/ui/format";

type Priced = {
  contextTokens: number | null;
  inputNanoUsdPerMtok: number | null;
  cachedNanoUsdPerMtok: number | null;
  outputNanoUsdPerMtok: number | null;
  reasoningNanoUsdPerMtok: number | null;
  isRehearsal?: boolean;
};

/** What a model costs and holds, in a line: "$2.50 in (cached $0.25), $10.00 out per million tokens · 128k context". */
export function describePrice(model: Priced): string {
  if (model.isRehearsal) return "Fixed rules, offline and free. Not a language model.";
  const context = model.contextTokens === null ? "" : ` · ${formatTokens(model.contextTokens)} context`;
  const { inputNanoUsdPerMtok: input, outputNanoUsdPerMtok: output } = model;
  const own = (word: string, nanoUsd: number | null) => (nanoUsd === null ? "" : ` (${word} ${formatPrice(nanoUsd)})`);
  const cached = own("cached", model.cachedNanoUsdPerMtok);
  const reasoning = own("reasoning", model.reasoningNanoUsdPerMtok);
  if (input === null || output === null) return `Price unknown: runs show no cost${context}`;
  return `${formatPrice(input)} in${cached}, ${formatPrice(output)} out${reasoning} per million tokens${context}`;
}

export const formatPrice = (nanoUsd: number) => (nanoUsd === 0 ? "$0" : formatExactMoney(nanoUsd));
