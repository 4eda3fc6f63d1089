"use client";

import { Textarea, TextInput } from "@mantine/core";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import type { SectionProps } from "./agent-form";

export function IdentitySection({ form, locked, changed, problems }: SectionProps) {
  return (
    <FormSection id="identity" title="Identity" changed={changed} summary={form.values.name}>
      <TextInput
        label="Name"
        placeholder="e.g. Policy reader"
        maxLength={60}
        readOnly={locked}
        autoComplete="off"
        data-field="name"
        {...form.getInputProps("name")}
      />
      <Textarea
        label="Purpose"
        description="What its supervisor sees when it chooses whom to give work. One or two sentences."
        placeholder="e.g. Answers questions from the returns policy, with the page. Give it one question."
        minRows={2}
        maxRows={6}
        maxLength={500}
        readOnly={locked}
        data-field="purpose"
        {...form.getInputProps("purpose")}
      />
      <FieldProblems problems={problems} />
    </FormSection>
  );
}
