"use client";

import { Button } from "@mantine/core";
import { useWhyNotAct } from "@/components/layout/use-me";
import { StartRunFields } from "@/components/runs/start-run-fields";
import { useStartRunForm } from "@/components/runs/start-run-form";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Panel } from "@/components/ui/panel";

export function StartBox() {
  const draft = useStartRunForm();
  const whyNot = useWhyNotAct();
  const { teams } = draft;
  return (
    <Panel title="Start a run">
      {teams.isError ? (
        <ErrorState
          title="The teams could not be loaded"
          onRetry={() => void teams.refetch()}
          retrying={teams.isFetching}
        >
          {errorWords(teams.error).sentence}
        </ErrorState>
      ) : teams.data?.length === 0 ? (
        <EmptyState title="No team to run">A run needs a published team. This workspace has none.</EmptyState>
      ) : (
        <form className="col start-run" onSubmit={draft.submit} noValidate>
          <StartRunFields draft={draft} />
          <div className="row">
            <span className="grow t3 fs12">{whyNot}</span>
            <Button type="submit" variant="filled" loading={draft.isStarting} disabled={whyNot !== null || !draft.team}>
              Start
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
}
