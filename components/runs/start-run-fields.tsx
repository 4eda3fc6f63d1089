"use client";

import "./run-list.css";
import { Select, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { Note } from "@/components/ui/note";
import type { TeamSummary } from "@/server/teams/schema";
import type { StartRunForm } from "./start-run-form";

/** Team and task. The example of the team is the placeholder, and one click makes it the task. */
export function StartRunFields({ draft, autoFocus }: { draft: StartRunForm; autoFocus?: boolean }) {
  const { form, teams, team, submit, refusal } = draft;
  const example = team?.example;
  return (
    <>
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
      <Select
        label="Team"
        data={teams.data?.map((each) => ({ value: each.id, label: each.name })) ?? []}
        value={team?.id ?? null}
        onChange={(value) => form.setFieldValue("teamId", value)}
        description={team ? describeTeam(team) : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder={teams.isPending ? "Loading teams" : "No team"}
        disabled={!teams.data?.length}
        error={teams.isError ? "The teams could not be loaded." : undefined}
        allowDeselect={false}
        searchable={(teams.data?.length ?? 0) > 8}
      />
      <Textarea
        label="What should it do?"
        placeholder={example ?? "A question or a task, in your words"}
        minRows={3}
        maxRows={12}
        data-autofocus={autoFocus || undefined}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => submit()]])}
        {...form.getInputProps("input")}
      />
      {example && form.values.input === "" && (
        <button type="button" className="linkbtn use-example" onClick={() => form.setFieldValue("input", example)}>
          Use the example
        </button>
      )}
    </>
  );
}

/** "Lead, with Searcher and Writer". */
export function describeTeam(team: TeamSummary): string {
  const [root, ...others] = team.agents.map((agent) => agent.name);
  if (!root) return team.description;
  if (others.length === 0) return root;
  const list = new Intl.ListFormat("en-GB").format(others);
  return `${root}, with ${list}`;
}
