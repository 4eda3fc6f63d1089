"use client";

import "@/components/editor/editor.css";
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { renameRunInput } from "@/server/runs/list-schema";
import type { RunSummary } from "@/server/runs/schema";
import { useRunsChanged } from "./use-runs-changed";

type Props = { run: Pick<RunSummary, "id" | "title">; onClose: () => void };

export function RenameRunDialog({ run, onClose }: Props) {
  const trpc = useTRPC();
  const changed = useRunsChanged();
  const [title, setTitle] = useState(run.title);
  const [problem, setProblem] = useState<string | null>(null);
  const rename = useMutation(
    trpc.runs.rename.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = renameRunInput.shape.title.safeParse(title);
    if (parsed.success) rename.mutate({ runId: run.id, title: parsed.data });
    else setProblem(parsed.error.issues[0]?.message ?? null);
  };
  return (
    <Modal opened onClose={onClose} title="Rename this run" size={440}>
      <form className="col" onSubmit={submit} noValidate>
        <TextInput
          label="Title"
          description="What it was asked stays as it is."
          value={title}
          error={problem ?? (rename.error ? errorWords(rename.error).sentence : null)}
          onChange={(event) => {
            setTitle(event.currentTarget.value);
            setProblem(null);
          }}
          data-autofocus
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={rename.isPending}>
            Rename
          </Button>
        </div>
      </form>
    </Modal>
  );
}
