"use client";

import "./run-list.css";
import { Button, Select, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { Note } from "@/components/ui/note";
import { describeTeam } from "./describe-team";
import type { StartRunDraft } from "./start-run-draft";

type Props = { draft: StartRunDraft; autoFocus?: boolean; onCancel?: () => void };

/**
 * Team and task. The first team counts as chosen until the person picks another; its example is the placeholder, and
 * one click makes it the task.
 */
export function StartRunForm({ draft, autoFocus, onCancel }: Props) {
  const trpc = useTRPC();
  const { data: teams } = useSuspenseQuery(trpc.teams.list.queryOptions());
  const whyNot = useWhyNotAct();
  const { form, refusal } = draft;
  const team = teams.find((each) => each.id === form.values.teamId) ?? teams[0];
  if (!team)
    return <EmptyState title="No team to run">A run needs a published team. This workspace has none.</EmptyState>;

  const submit = form.onSubmit(({ input }) => {
    draft.start({ teamId: team.id, input });
  });
  const { example } = team;
  return (
    <form className="col start-run" onSubmit={submit} noValidate>
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
      <Select
        label="Team"
        data={teams.map((each) => ({ value: each.id, label: each.name }))}
        value={team.id}
        onChange={(value) => form.setFieldValue("teamId", value)}
        description={describeTeam(team)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        allowDeselect={false}
        searchable={teams.length > 8}
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
      <div className="row start-run-actions">
        <div className="grow">
          {whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            example &&
            form.values.input === "" && (
              <button type="button" className="linkbtn fs12" onClick={() => form.setFieldValue("input", example)}>
                Use the example
              </button>
            )
          )}
        </div>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="filled" loading={draft.isStarting} disabled={whyNot !== null}>
          Start
        </Button>
      </div>
    </form>
  );
}
