"use client";

import "@/components/editor/editor.css";
import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { MOST_TAGS } from "@/server/runs/list-schema";
import type { RunSummary } from "@/server/runs/schema";
import { TagsField } from "./tags-field";
import { useRunsChanged } from "./use-runs-changed";

type Props = { run: Pick<RunSummary, "id" | "title" | "tags">; onClose: () => void };

/** The tags of one run. */
export function RunTagsDialog({ run, onClose }: Props) {
  const trpc = useTRPC();
  const changed = useRunsChanged();
  const [tags, setTags] = useState(run.tags);
  const save = useMutation(
    trpc.runs.setTags.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title="Tags of this run" size={440}>
      <form
        className="col"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ runId: run.id, tags });
        }}
      >
        <TagsField
          label="Tags"
          description={`Words to find it by, at most ${MOST_TAGS}. Large and small letters are the same.`}
          value={tags}
          onChange={setTags}
          error={save.error ? errorWords(save.error).sentence : undefined}
          data-autofocus
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}
