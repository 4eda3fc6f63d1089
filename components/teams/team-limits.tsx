"use client";

import { FormSection } from "@/components/editor/form-section";
import { SpendFields } from "@/components/runs/spend-fields";
import { DurationField } from "@/components/ui/duration-field";
import { limitsWords } from "./limits-words";
import type { TeamDraftForm } from "./use-team-draft";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What one run of the team may spend and how long it may take. */
export function TeamLimits({ form, locked }: { form: TeamDraftForm["form"]; locked: boolean }) {
  return (
    <FormSection
      id="limits"
      title="Limits of a run"
      hint="At a limit on spending a run is suspended, before it is passed, and a person decides how it goes on. At a limit of time it ends."
      summary={`At most ${limitsWords(form.values.limits)}`}
      folded
    >
      <SpendFields
        cost={{
          name: "limits.maxCostNanoUsd",
          input: form.getInputProps("limits.maxCostNanoUsd"),
          help: "By all its agents together. Every model they use needs a price.",
        }}
        tokens={{
          name: "limits.maxTokens",
          input: form.getInputProps("limits.maxTokens"),
          help: "By all its agents together. Holds for models without a price, too.",
        }}
        ask={{
          name: "limits.askAtRatio",
          input: form.getInputProps("limits.askAtRatio"),
          help: "Of either limit, before the first call that goes beyond. Empty: never.",
        }}
        disabled={locked}
      />
      <div className="grid2">
        <DurationField
          label="Hours of work"
          description="Waiting for people and being paused or suspended use up none of them."
          suffix=" h"
          unitMs={HOUR_MS}
          disabled={locked}
          data-field="limits.maxActiveMs"
          {...form.getInputProps("limits.maxActiveMs")}
        />
        <DurationField
          label="Minutes without progress"
          description="Working, with nothing recorded: longer than any single call should take."
          suffix=" min"
          unitMs={MINUTE_MS}
          disabled={locked}
          data-field="limits.stuckAfterMs"
          {...form.getInputProps("limits.stuckAfterMs")}
        />
      </div>
    </FormSection>
  );
}
