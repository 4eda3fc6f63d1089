import type { ModelCall } from "@/server/runs/schema";

/** Tokens of one kind, what a million of them cost, and what that comes to. Null: not known. */
export type CostLine = { name: string; tokens: number; perMtok: number | null; nanoUsd: number | null };

type Rates = {
  inputNanoUsdPerMtok: number;
  outputNanoUsdPerMtok: number;
  /** Null, or absent: as others in. */
  cachedNanoUsdPerMtok?: number | null;
  /** Null, or absent: as others out. */
  reasoningNanoUsdPerMtok?: number | null;
};

/** What a call was billed for, by kind of token. Cached ones are a part of the input, those of reasoning of the output: each is told once. */
export function costLines(usage: NonNullable<ModelCall["usage"]>, rates: Rates | null): CostLine[] {
  const cached = Math.min(usage.cached, usage.prompt);
  const reasoning = Math.min(usage.reasoning ?? 0, usage.completion);
  const line = (name: string, tokens: number, perMtok: number | null | undefined): CostLine => ({
    ...{ name, tokens, perMtok: perMtok ?? null },
    nanoUsd: perMtok == null ? null : Math.round((tokens * perMtok) / 1_000_000),
  });
  const lines = [
    line("Input", usage.prompt - cached, rates?.inputNanoUsdPerMtok),
    line("Input, from the cache", cached, rates?.cachedNanoUsdPerMtok ?? rates?.inputNanoUsdPerMtok),
    line("Output", usage.completion - reasoning, rates?.outputNanoUsdPerMtok),
    line("Output, reasoning", reasoning, rates?.reasoningNanoUsdPerMtok ?? rates?.outputNanoUsdPerMtok),
  ];
  // Input and output are always told, even as none; the others where there are any.
  return lines.filter(({ tokens }, at) => tokens > 0 || at % 2 === 0);
}
