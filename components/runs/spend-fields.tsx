"use client";

import "@/components/editor/editor.css";
import type { ReactNode } from "react";
import { CountField } from "@/components/ui/count-field";
import { MoneyField } from "@/components/ui/money-field";
import { PercentField } from "@/components/ui/percent-field";

type Field = {
  /** As a refusal names it, so that it can be led to. */
  name: string;
  /** `getInputProps` of the form. */
  input: { value?: number | null; onChange: (value: number | null) => void; error?: ReactNode };
  help?: string;
};
type Props = {
  cost: Field;
  tokens: Field;
  /** The share of a run's limits at which a person is asked; null: never. */
  ask?: Field;
  /** What nothing typed means. */
  placeholder?: string;
  disabled?: boolean;
  /** The one to begin with, in a dialog. */
  autoFocus?: "cost" | "tokens";
};

/** What may be spent, in dollars and in tokens: each may be left empty. */
export function SpendFields({ cost, tokens, ask, placeholder = "no limit", disabled, autoFocus }: Props) {
  const shared = { placeholder, disabled };
  return (
    <div className="grid2">
      <MoneyField
        label="Spend at most, in US dollars"
        description={cost.help}
        data-field={cost.name}
        data-autofocus={autoFocus === "cost" || undefined}
        {...shared}
        {...cost.input}
      />
      <CountField
        label="Tokens at most, in and out"
        description={tokens.help}
        data-field={tokens.name}
        data-autofocus={autoFocus === "tokens" || undefined}
        {...shared}
        {...tokens.input}
      />
      {ask && (
        <PercentField
          label="Ask a person at"
          description={ask.help}
          placeholder="never"
          min={10}
          max={99}
          disabled={disabled}
          data-field={ask.name}
          {...ask.input}
          value={ask.input.value ?? undefined}
          onChange={(share) => ask.input.onChange(Number.isNaN(share) ? null : share)}
        />
      )}
    </div>
  );
}
