"use client";

import { NumberInput } from "@mantine/core";
import { HANDOFFS } from "@/server/engine/pattern-settings";
import type { TeamDraftForm } from "./use-team-draft";

/** How often the task may go from one agent to another. */
export function HandoffFields({ form, locked }: { form: TeamDraftForm["form"]; locked: boolean }) {
  return (
    <div className="grid2">
      <NumberInput
        label="Handoffs at most"
        description="In one run. Then whoever has the task answers. One that goes in a circle without anything new is refused before."
        min={HANDOFFS.least}
        max={HANDOFFS.most}
        allowDecimal={false}
        disabled={locked}
        data-field="patternSettings.handoff.maxHandoffs"
        {...form.getInputProps("patternSettings.handoff.maxHandoffs")}
      />
    </div>
  );
}
