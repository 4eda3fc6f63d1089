"use client";

import { MultiSelect } from "@mantine/core";
import { Note } from "@/components/ui/note";
import { isCarriedOut } from "@/server/engine/pattern-settings";
import type { TeamAgents } from "./use-team-agents";
import type { TeamDraftForm } from "./use-team-draft";

type Props = { form: TeamDraftForm["form"]; agents: TeamAgents; locked: boolean };

/** Agents that every supervisor of the team may start beside those below it. */
export function AlsoAllowed({ form, agents, locked }: Props) {
  const { alsoAllowed, root } = form.values;
  const nobodyStarts = isCarriedOut(form.values) && !root?.children.some(({ children }) => children.length > 0);
  // Where nobody could make use of it, it is only shown to be emptied.
  if (nobodyStarts && alsoAllowed.length === 0) return null;
  const gone = alsoAllowed.filter((id) => !agents.choices.some((agent) => agent.id === id));
  const data = [
    ...agents.choices.map(({ id, name, version }) => ({
      ...{ value: id, label: version === null ? `${name} (draft)` : name },
    })),
    ...gone.map((id) => ({ value: id, label: `${agents.byId.get(id)?.name ?? "An agent that is gone"} (deleted)` })),
  ];
  return (
    <>
      <MultiSelect
        label="Agents its supervisors may also start"
        description="Each supervisor may start these beside the agents under it, never one it works under. An agent started so leads nobody."
        placeholder={alsoAllowed.length ? undefined : "None"}
        data={data}
        searchable
        hidePickedOptions
        nothingFoundMessage="No agent matches."
        disabled={locked}
        data-field="alsoAllowed"
        {...form.getInputProps("alsoAllowed")}
      />
      {nobodyStarts && (
        <Note tone="info">
          With this pattern the engine leads, and no supervisor starts agents: these are not used.
        </Note>
      )}
    </>
  );
}
