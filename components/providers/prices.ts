import { formatExactMoney, formatTokens } from "@/components/ui/format";

type Priced = {
  contextTokens: number | null;
  inputNanoUsdPerMtok: number | null;
  outputNanoUsdPerMtok: number | null;
  isRehearsal?: boolean;
};

/** What a model costs and holds, in a line: "$2.50 in, $10.00 out per million tokens · 128k context". */
export function describePrice(model: Priced): string {
  if (model.isRehearsal) return "Fixed rules, offline and free. Not a language model.";
  const context = model.contextTokens === null ? "" : ` · ${formatTokens(model.contextTokens)} context`;
  const { inputNanoUsdPerMtok: input, outputNanoUsdPerMtok: output } = model;
  if (input === null || output === null) return `Price unknown: runs show no cost${context}`;
  return `${formatPrice(input)} in, ${formatPrice(output)} out per million tokens${context}`;
}

export const formatPrice = (nanoUsd: number) => (nanoUsd === 0 ? "$0" : formatExactMoney(nanoUsd));
