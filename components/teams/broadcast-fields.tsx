"use client";

import { Select } from "@mantine/core";
import { DurationField } from "@/components/ui/duration-field";
import { COMBINATIONS } from "@/server/engine/pattern-settings";
import { COMBINED } from "./pattern-words";
import type { TeamDraftForm } from "./use-team-draft";

const SECOND_MS = 1_000;

/** What becomes of the results when every agent gets the same task. */
export function BroadcastFields({ form, locked }: { form: TeamDraftForm["form"]; locked: boolean }) {
  const { combine } = form.values.patternSettings.broadcast;
  return (
    <div className="grid2">
      <Select
        label="The answer is made of the results"
        description={COMBINED[combine].does}
        data={COMBINATIONS.map((value) => ({ value, label: COMBINED[value].word }))}
        allowDeselect={false}
        disabled={locked}
        data-field="patternSettings.broadcast.combine"
        {...form.getInputProps("patternSettings.broadcast.combine")}
      />
      {combine === "first" && (
        <DurationField
          label="Seconds to wait for the first"
          description="From when the agents were started; being paused counts."
          suffix=" s"
          unitMs={SECOND_MS}
          disabled={locked}
          data-field="patternSettings.broadcast.timeLimitMs"
          {...form.getInputProps("patternSettings.broadcast.timeLimitMs")}
        />
      )}
    </div>
  );
}
