"use client";

import { Textarea } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { formatCount } from "@/components/ui/format";
import type { SectionProps } from "./agent-form";

const MOST_CHARACTERS = 20_000;

export function InstructionsSection({ form, locked, changed, problems }: SectionProps) {
  const { length } = form.values.instructions;
  return (
    <FormSection
      id="instructions"
      title="Instructions"
      hint="How it works, what it must do and must not do, what its answer looks like. Only this agent reads them."
      summary={`${formatCount(length)} characters`}
      changed={changed}
    >
      <div className="col ag-instructions">
        <Textarea
          aria-label="Instructions"
          placeholder={
            "You answer questions about …\n\n1. Look up …\n2. Quote the passage …\n\nNever … When you do not know, say so."
          }
          minRows={10}
          maxRows={30}
          readOnly={locked}
          data-field="instructions"
          {...form.getInputProps("instructions")}
        />
        <div className="field-foot">
          <FieldProblems problems={problems} />
          <span className="grow" />
          <span className={length > MOST_CHARACTERS ? "bad num" : "num"}>
            {formatCount(length)} of {formatCount(MOST_CHARACTERS)} characters
          </span>
        </div>
      </div>
    </FormSection>
  );
}
