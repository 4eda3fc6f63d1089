"use client";

import "./knowledge.css";
import "@/components/editor/editor.css";
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import { LongSelect } from "@/components/ui/long-select";
import { Note } from "@/components/ui/note";
import type { EntryFrom } from "@/server/knowledge/entry-schema";
import type { DocumentView } from "@/server/knowledge/schema";
import { EntryFields } from "./entry-fields";
import { type EntryDraft, useEntryForm } from "./entry-form";
import { useEntrySaved } from "./use-entry-saved";

/** What a form begins with. */
export type EntryStart = Pick<EntryDraft, "title" | "text" | "entryKind"> & { from?: EntryFrom };

const FRESH: EntryStart = { title: "", text: "", entryKind: "" };

type Props = {
  /** Left out: an empty form. */
  start?: EntryStart;
  /** Left out: whoever writes chooses one. */
  baseId?: string;
  onClose: () => void;
  onSaved: (document: DocumentView) => void;
};

/** Writes an entry into a base, or keeps there what a run came to. What was typed stays until the server has taken it. */
export function WriteEntryDialog({ start = FRESH, baseId, onClose, onSaved }: Props) {
  const trpc = useTRPC();
  const entrySaved = useEntrySaved();
  const { from, ...written } = start;
  const form = useEntryForm({ ...written, baseId: baseId ?? "" });
  const create = useMutation(
    trpc.knowledge.createEntry.mutationOptions({
      onSuccess: (document) => {
        entrySaved();
        onSaved(document);
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const refusal = create.error && Object.keys(fieldErrorsOf(create.error)).length === 0 ? create.error : null;
  const submit = form.onSubmit((values) => {
    if (!create.isPending) create.mutate({ ...values, ...(from && { from }) });
  });
  // What came from a run is still there when this is closed.
  const isDirty = form.isDirty() && !create.isSuccess;
  return (
    <FormModal opened onClose={onClose} isDirty={isDirty} size={680} title={from ? "Save as knowledge" : "New entry"}>
      <form className="col form" onSubmit={submit} noValidate>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        {baseId === undefined && (
          <BaseSelect
            value={form.values.baseId}
            onChange={(value) => form.setFieldValue("baseId", value)}
            error={form.errors.baseId}
          />
        )}
        <EntryFields form={form} />
        <div className="row form-actions">
          {from && <span className="t3 fs12 grow">It keeps a link to where it comes from.</span>}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={create.isPending}>
            Save entry
          </Button>
        </div>
      </form>
      <LeaveGuard active={isDirty} onDiscard={onClose} />
    </FormModal>
  );
}

type BaseProps = { value: string; onChange: (baseId: string) => void; error: React.ReactNode };

function BaseSelect({ value, onChange, error }: BaseProps) {
  const trpc = useTRPC();
  const bases = useQuery(trpc.knowledge.bases.queryOptions());
  if (bases.data?.length === 0) {
    return (
      <Note tone="info">
        There is no knowledge base yet. <LinkButton href="/knowledge">Make one first</LinkButton>
      </Note>
    );
  }
  return (
    <LongSelect
      label="Knowledge base"
      placeholder="Where it is kept"
      data={(bases.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      allowDeselect={false}
      searchable
      disabled={bases.isPending}
      error={bases.error ? errorWords(bases.error).sentence : error}
    />
  );
}
