"use client";

import "@/components/editor/editor.css";
import { Button, Modal, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { MOST_CHANGED, MOST_REMOVED, type RemovalPlan } from "@/server/runs/list-schema";
import { RefusedRuns } from "./refused-runs";
import { addPlans, NOTHING_PLANNED, whatGoes, whatStays } from "./removal-words";
import { useBatches } from "./use-batches";

type Props = {
  runIds: readonly string[];
  /** Of a single run. */
  title?: string;
  onClose: () => void;
  /** Something was removed, and the dialog is closed. */
  onRemoved: () => void;
};

/** Says first what goes and what stays, then asks. Many go a few at a time, and what was refused stays to be read. */
export function RemoveRunsDialog({ runIds, title, onClose, onRemoved }: Props) {
  const client = useTRPCClient();
  const batches = useBatches();
  const [isDone, setIsDone] = useState(false);
  const plan = useQuery({
    queryKey: ["runs to remove", runIds],
    queryFn: async ({ signal }) => {
      let whole = NOTHING_PLANNED;
      for (let from = 0; from < runIds.length; from += MOST_CHANGED) {
        const some = runIds.slice(from, from + MOST_CHANGED);
        whole = addPlans(whole, await client.runs.removalPlan.mutate({ runIds: some }, { signal }));
      }
      return whole;
    },
    staleTime: 0,
    gcTime: 0,
  });
  const close = () => {
    if (batches.isBusy) return;
    onClose();
    if (batches.progress && batches.progress.done > 0) onRemoved();
  };
  const remove = async () => {
    const all = await batches.run(runIds, {
      size: MOST_REMOVED,
      act: (some) => client.runs.remove.mutate({ runIds: some }),
    });
    setIsDone(true);
    if (!all) return;
    onClose();
    onRemoved();
  };
  const { progress, failure, isBusy } = batches;
  const going = plan.data?.runs ?? 0;
  return (
    <Modal
      opened
      onClose={close}
      title={title === undefined ? `Delete ${formatPlural(runIds.length, "run")}?` : `Delete “${title}”?`}
      size={500}
    >
      <div className="col">
        {plan.isPending && <SkeletonRows rows={4} columns={["1fr"]} rowHeight={24} label="Looking at what would go" />}
        {plan.error && (
          <Note tone="bad" role="alert">
            {errorWords(plan.error).sentence}
          </Note>
        )}
        {plan.data && !progress && <Plan plan={plan.data} />}
        {progress && (
          <div role="status">
            <p className="t2">
              {formatCount(progress.done)} of {formatPlural(progress.of, "run")} deleted
              {progress.refused.length > 0 && `, ${formatCount(progress.refused.length)} refused`}.
            </p>
            <Progress value={(progress.seen / progress.of) * 100} size={6} aria-label="Deleted so far" />
          </div>
        )}
        {progress && <RefusedRuns refused={progress.refused} word="not deleted" />}
        {failure && (
          <Note tone="bad" role="alert">
            {failure} What was deleted by then stays deleted.
          </Note>
        )}
      </div>
      <div className="dialog-actions">
        <Button onClick={close} disabled={isBusy} data-autofocus>
          {isDone ? "Close" : "Keep"}
        </Button>
        {!isDone && (
          <Button data-danger disabled={going === 0} loading={isBusy} onClick={() => void remove()}>
            Delete {going === 0 ? "nothing" : formatPlural(going, "run")}
          </Button>
        )}
      </div>
    </Modal>
  );
}

function Plan({ plan }: { plan: RemovalPlan }) {
  return (
    <>
      {plan.runs > 0 && (
        <>
          <Lines title="Goes for good" lines={whatGoes(plan)} />
          <Lines title="Stays" lines={whatStays(plan)} />
          {plan.held > 0 && (
            <Note tone="info">
              {formatPlural(plan.held, "run")} of them {plan.held === 1 ? "is" : "are"} held and could be resumed.{" "}
              {plan.held === 1 ? "It is" : "They are"} stopped first.
            </Note>
          )}
        </>
      )}
      <RefusedRuns refused={plan.refused} word={plan.runs > 0 ? "will stay" : "cannot be deleted"} />
    </>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <section>
      <h3 className="section-label">{title}</h3>
      <ul className="plain-list">
        {lines.map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </ul>
    </section>
  );
}
