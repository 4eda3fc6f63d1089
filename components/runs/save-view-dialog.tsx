"use client";

import "@/components/editor/editor.css";
import { Button, Modal, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RunFilters } from "@/server/runs/list-schema";
import { type RunView, saveViewInput } from "@/server/runs/views-schema";

type Props = {
  /** The view that gets another name; left out: a new one. */
  view?: RunView;
  filters: RunFilters;
  onClose: () => void;
  onSaved?: (viewId: string) => void;
};

/** Names a view: a new one, or one there is. */
export function SaveViewDialog({ view, filters, onClose, onSaved }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNotShare = useWhyNotEdit();
  const [name, setName] = useState(view?.name ?? "");
  const [isShared, setIsShared] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const saved = {
    onSuccess: async ({ viewId }: { viewId: string }) => {
      await queryClient.invalidateQueries({ queryKey: trpc.runViews.list.queryKey() });
      onSaved?.(viewId);
      onClose();
    },
  };
  const save = useMutation(trpc.runViews.save.mutationOptions(saved));
  const rename = useMutation(trpc.runViews.change.mutationOptions(saved));
  const error = save.error ?? rename.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = saveViewInput.shape.name.safeParse(name);
    if (!parsed.success) setProblem(parsed.error.issues[0]?.message ?? null);
    else if (view) rename.mutate({ viewId: view.id, name: parsed.data });
    else save.mutate({ name: parsed.data, filters, isShared });
  };
  return (
    <Modal opened onClose={onClose} title={view ? "Rename this view" : "Save view"} size={420}>
      <form className="col" onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          description={view ? undefined : "The filters that are set now, as a tab above the list."}
          value={name}
          error={problem ?? (error ? errorWords(error).sentence : null)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
          data-autofocus
        />
        {!view && whyNotShare === null && (
          <Switch
            label="Share with the workspace"
            checked={isShared}
            onChange={(event) => setIsShared(event.currentTarget.checked)}
          />
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={save.isPending || rename.isPending}>
            {view ? "Rename" : "Save"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
