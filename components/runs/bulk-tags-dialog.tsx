"use client";

import "@/components/editor/editor.css";
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { MOST_CHANGED } from "@/server/runs/list-schema";
import { RefusedRuns } from "./refused-runs";
import { TagsField } from "./tags-field";
import { useBatches } from "./use-batches";

type Props = { runIds: readonly string[]; onClose: () => void; onDone: () => void };

/** Adds tags to many runs and takes others away. */
export function BulkTagsDialog({ runIds, onClose, onDone }: Props) {
  const client = useTRPCClient();
  const { run, progress, failure, isBusy } = useBatches();
  const [add, setAdd] = useState<string[]>([]);
  const [take, setTake] = useState<string[]>([]);
  const save = async () => {
    const all = await run(runIds, {
      size: MOST_CHANGED,
      act: (some) => client.runs.tag.mutate({ runIds: some, add, take }),
    });
    if (!all) return;
    onClose();
    onDone();
  };
  return (
    <Modal opened onClose={onClose} title={`Tags of ${formatPlural(runIds.length, "run")}`} size={440}>
      <form
        className="col"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TagsField label="Add" value={add} onChange={setAdd} data-autofocus />
        <TagsField label="Take away" value={take} onChange={setTake} />
        {progress && !isBusy && <RefusedRuns refused={progress.refused} word="not tagged" />}
        {failure && (
          <Note tone="bad" role="alert">
            {failure}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{progress && !isBusy ? "Close" : "Cancel"}</Button>
          <Button type="submit" variant="filled" disabled={add.length + take.length === 0} loading={isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}
