"use client";

import { Button } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconTags, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { MOST_CHANGED, MOST_MATCHES, type RunFilters } from "@/server/runs/list-schema";
import { BulkTagsDialog } from "./bulk-tags-dialog";
import { RefusedRuns } from "./refused-runs";
import { RemoveRunsDialog } from "./remove-runs-dialog";
import { useBatches } from "./use-batches";
import type { RunPicks } from "./use-run-selection";

type Props = {
  filters: RunFilters;
  picks: RunPicks;
  /** Every row that is loaded is picked, and there may be more. */
  mayBeMore: boolean;
  /** Rows may have left the list. */
  onChanged: () => void;
};

/** What can be done with the runs that are selected. */
export function BulkBar({ filters, picks, mayBeMore, onChanged }: Props) {
  const client = useTRPCClient();
  const whyNotEdit = useWhyNotEdit();
  const { run, progress, failure, isBusy } = useBatches();
  const [asks, setAsks] = useState<"tags" | "removal" | null>(null);
  const runIds = [...picks.picked];
  const archive = async () => {
    const archived = !filters.archived;
    const all = await run(runIds, {
      size: MOST_CHANGED,
      act: (some) => client.runs.archive.mutate({ runIds: some, archived }),
    });
    if (all) picks.clear();
    onChanged();
  };
  const clear = () => {
    picks.clear();
    onChanged();
  };
  const close = () => setAsks(null);
  return (
    <>
      <section className="bulk-bar" aria-label="Selected runs">
        <span className="b" role="status">
          {formatPlural(runIds.length, "run")} selected
        </span>
        {mayBeMore && <AllThatMatch filters={filters} picks={picks} />}
        <span className="grow" />
        <Button
          leftSection={
            filters.archived ? <IconArchiveOff size={15} aria-hidden /> : <IconArchive size={15} aria-hidden />
          }
          loading={isBusy}
          onClick={() => void archive()}
        >
          {filters.archived ? "Take back" : "Archive"}
        </Button>
        <Button leftSection={<IconTags size={15} aria-hidden />} onClick={() => setAsks("tags")}>
          Tags…
        </Button>
        <ReasonButton
          whyNot={whyNotEdit}
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => setAsks("removal")}
        >
          Delete…
        </ReasonButton>
        <Button variant="subtle" onClick={picks.clear}>
          Clear
        </Button>
      </section>
      {progress && !isBusy && <RefusedRuns refused={progress.refused} word="stayed as they were" />}
      {failure && (
        <Note tone="bad" role="alert">
          {failure}
        </Note>
      )}
      {asks === "tags" && <BulkTagsDialog runIds={runIds} onClose={close} onDone={clear} />}
      {asks === "removal" && <RemoveRunsDialog runIds={runIds} onClose={close} onRemoved={clear} />}
    </>
  );
}

/** Goes from the rows on screen to every run that matches the filters. */
function AllThatMatch({ filters, picks }: Pick<Props, "filters" | "picks">) {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.runs.matching.queryOptions(filters), staleTime: 0 });
  if (!data || data.runIds.length <= picks.picked.size) return null;
  return (
    <button type="button" className="linkbtn" onClick={() => picks.pickAll(data.runIds)}>
      {data.more
        ? `Select the newest ${formatCount(MOST_MATCHES)} that match`
        : `Select all ${formatCount(data.runIds.length)} that match`}
    </button>
  );
}
