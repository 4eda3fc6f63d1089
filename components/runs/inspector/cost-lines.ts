import type { ModelCall } from "@/server/runs/step-schema";

/** Tokens of one kind, what a million of them cost, and what that adds to the cost. Null: not known. */
export type CostLine = { name: string; tokens: number; perMtok: number | null; nanoUsd: number | null };

type Billed = Pick<NonNullable<ModelCall["cost"]>, "rates" | "parts">;

/** What a call was billed for, by kind of token, as the server counted it: together the whole. What the cache held comes off the input. */
export function costLines(usage: NonNullable<ModelCall["usage"]>, { rates, parts }: Billed): CostLine[] {
  const reasoning = usage.reasoning ?? 0;
  const discount = parts?.cachedDiscountNanoUsd ?? null;
  const input = { perMtok: rates?.inputNanoUsdPerMtok ?? null, nanoUsd: parts?.promptNanoUsd ?? null };
  const output = { perMtok: rates?.outputNanoUsdPerMtok ?? null, nanoUsd: parts?.completionNanoUsd ?? null };
  const lines: CostLine[] = [{ name: "Input", tokens: usage.prompt, ...input }];
  if (usage.cached > 0) {
    const perMtok = rates?.cachedNanoUsdPerMtok ?? input.perMtok;
    lines.push({
      name: "of it from the cache",
      tokens: usage.cached,
      perMtok,
      nanoUsd: discount === null ? null : 0 - discount,
    });
  }
  lines.push({ name: "Output", tokens: Math.max(0, usage.completion - reasoning), ...output });
  if (reasoning > 0) {
    const perMtok = rates?.reasoningNanoUsdPerMtok ?? output.perMtok;
    lines.push({ name: "Output, reasoning", tokens: reasoning, perMtok, nanoUsd: parts?.reasoningNanoUsd ?? null });
  }
  return lines;
}
