"use client";

import { NumberInput, Select } from "@mantine/core";
import { JUDGES, ROUNDS } from "@/server/engine/pattern-settings";
import { JUDGED } from "./pattern-words";
import type { TeamDraftForm } from "./use-team-draft";

/** How long a debate goes on, and who decides it. */
export function DebateFields({ form, locked }: { form: TeamDraftForm["form"]; locked: boolean }) {
  const { judge } = form.values.patternSettings.debate;
  return (
    <div className="grid2">
      <NumberInput
        label="Rounds"
        description="After the first answers. It is over before when all say the same."
        min={ROUNDS.least}
        max={ROUNDS.most}
        allowDecimal={false}
        disabled={locked}
        data-field="patternSettings.debate.rounds"
        {...form.getInputProps("patternSettings.debate.rounds")}
      />
      <Select
        label="Who decides when they disagree"
        description={JUDGED[judge].does}
        data={JUDGES.map((value) => ({ value, label: JUDGED[value].word }))}
        allowDeselect={false}
        disabled={locked}
        data-field="patternSettings.debate.judge"
        {...form.getInputProps("patternSettings.debate.judge")}
      />
    </div>
  );
}
