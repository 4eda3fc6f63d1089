"use client";

import { NumberInput } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { SpendFields } from "@/components/runs/spend-fields";
import { spendWords } from "@/components/runs/spend-words";
import { CountField } from "@/components/ui/count-field";
import { formatPlural } from "@/components/ui/format";
import type { SectionProps } from "./agent-form";
import { numberInput } from "./number-input";

export function LimitsSection({ form, locked, changed, problems }: SectionProps) {
  const spend = spendWords(form.values);
  const rounds = formatPlural(form.values.maxToolRounds || 0, "tool round");
  return (
    <FormSection
      id="limits"
      title="Limits"
      changed={changed}
      folded
      summary={`At most ${rounds}${spend ? `, ${spend} an agent run` : ""}`}
    >
      <SpendFields
        cost={{
          name: "maxCostNanoUsd",
          input: form.getInputProps("maxCostNanoUsd"),
          help: "One agent run of it, with the agents that work below it. Its model needs a price.",
        }}
        tokens={{
          name: "maxTokens",
          input: form.getInputProps("maxTokens"),
          help: "The same in tokens. At either limit it ends, and whoever started it is told.",
        }}
        disabled={locked}
      />
      <div className="grid2">
        <CountField
          label="Longest reply, in tokens"
          description="Of one model call. Empty: what the provider allows, or 4,096 where a limit on spending holds."
          placeholder="as the provider allows"
          disabled={locked}
          data-field="maxOutputTokens"
          {...form.getInputProps("maxOutputTokens")}
        />
        <NumberInput
          label="Tool rounds"
          description="Model calls that ask for tools, at most. At the limit it ends and keeps the text it has."
          min={1}
          max={1000}
          disabled={locked}
          data-field="maxToolRounds"
          {...numberInput(form, "maxToolRounds")}
        />
      </div>
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
