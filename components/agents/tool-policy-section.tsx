"use client";

import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { PolicyFields } from "@/components/resilience/policy-fields";
import { policyWords, USUAL_TOOL_RETRY } from "@/components/resilience/policy-words";
import { ToolFallback } from "@/components/resilience/tool-fallback";
import { effectivePolicy } from "@/server/engine/resilience/policy";
import type { SectionProps } from "./agent-form";

/** How calls of its tools are guarded, where a tool has no policy of its own (AGT-RES-01). */
export function ToolPolicySection({ form, locked, changed, problems }: SectionProps) {
  const { toolResilience: policy, tools } = form.values;
  const set = (next: typeof policy) => form.setFieldValue("toolResilience", next);
  return (
    <FormSection
      id="toolPolicy"
      title="When tools fail"
      hint="Holds for each of its tools where the tool's own policy says nothing; that one wins, part by part."
      folded
      summary={policyWords(effectivePolicy(policy), USUAL_TOOL_RETRY).join(", ")}
      changed={changed}
    >
      <div data-field="toolResilience">
        <PolicyFields
          value={policy}
          onChange={({ timeoutMs: _, ...next }) => set(next)}
          errors={form.errors}
          at="toolResilience"
          usualRetry={USUAL_TOOL_RETRY}
          bulkhead
          disabled={locked}
        >
          <ToolFallback
            value={policy.fallback}
            onChange={(fallback) => {
              const { fallback: _, ...others } = policy;
              set(fallback ? { ...others, fallback } : others);
            }}
            tools={tools}
            error={form.errors["toolResilience.fallback.use"]}
            disabled={locked}
          />
        </PolicyFields>
        <FieldProblems problems={problems} />
      </div>
    </FormSection>
  );
}
