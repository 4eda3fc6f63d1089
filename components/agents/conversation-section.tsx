"use client";

import { NumberInput, Switch } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { ModelSelect } from "@/components/providers/model-select";
import { OptionalText } from "@/components/ui/optional-text";
import { PercentField } from "@/components/ui/percent-field";
import type { SectionProps } from "./agent-form";
import { USUAL } from "./agent-values";
import { numberInput } from "./number-input";
import { compactionWords, percent, summaryOf } from "./setting-words";

/** What becomes of its conversation when the model's context fills. */
export function ConversationSection({ form, locked, changed, problems }: SectionProps) {
  const { enabled, model } = form.values.compaction;
  const off = !enabled || locked;
  return (
    <FormSection
      id="conversation"
      title="Long conversations"
      changed={changed}
      folded
      summary={summaryOf(
        [compactionWords(form.values)],
        `As usual, condensed at ${percent(USUAL.compaction.thresholdRatio)} of the model's context`,
      )}
    >
      <Switch
        label="Condense long conversations"
        description="When its model's context fills, older messages give way to a summary of them. All of them stay in the record of the run."
        disabled={locked}
        data-field="compaction.enabled"
        {...form.getInputProps("compaction.enabled", { type: "checkbox" })}
      />
      <div className="grid2">
        <PercentField
          label="When the context is full to"
          description="Of what its model takes in."
          min={10}
          max={95}
          disabled={off}
          data-field="compaction.thresholdRatio"
          {...form.getInputProps("compaction.thresholdRatio")}
        />
        <NumberInput
          label="Newest messages kept"
          description="They stay as they are."
          min={1}
          max={100}
          disabled={off}
          data-field="compaction.preserveLastN"
          {...numberInput(form, "compaction.preserveLastN")}
        />
        <NumberInput
          label="Messages there must be"
          description="A shorter conversation is left alone."
          min={2}
          max={1000}
          disabled={off}
          data-field="compaction.minMessages"
          {...numberInput(form, "compaction.minMessages")}
        />
        <NumberInput
          label="Longest summary, in tokens"
          description="What the call that condenses may write."
          min={50}
          max={20_000}
          thousandSeparator=","
          disabled={off}
          data-field="compaction.maxSummaryTokens"
          {...numberInput(form, "compaction.maxSummaryTokens")}
        />
      </div>
      <div data-field="compaction.model">
        <ModelSelect
          label="Model that condenses"
          nullLabel="The agent's own model"
          description="A cheaper one often does."
          value={model}
          onChange={(ref) => form.setFieldValue("compaction.model", ref)}
          error={form.errors["compaction.model"]}
          disabled={off}
        />
      </div>
      <OptionalText
        label="What the model that condenses is told"
        description="The messages take the place of {messages}. Empty: the built-in words."
        placeholder="the built-in words"
        disabled={!enabled}
        readOnly={locked}
        data-field="compaction.prompt"
        {...form.getInputProps("compaction.prompt")}
      />
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
