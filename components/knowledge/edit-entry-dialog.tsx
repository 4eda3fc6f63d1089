"use client";

import "./knowledge.css";
import "@/components/editor/editor.css";
import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormModal } from "@/components/editor/form-modal";
import { LeaveGuard } from "@/components/editor/leave-guard";
import { useTRPC } from "@/components/trpc/client";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { EntryView } from "@/server/knowledge/entry-schema";
import type { DocumentView } from "@/server/knowledge/schema";
import { EntryFields } from "./entry-fields";
import { type EntryDraft, useEntryForm } from "./entry-form";
import { useEntrySaved } from "./use-entry-saved";

type Props = { document: Pick<DocumentView, "id" | "baseId">; onClose: () => void };

/** Changes an entry. What somebody else saved since is told and shown, and overwritten only by whoever says so. */
export function EditEntryDialog({ document, onClose }: Props) {
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.knowledge.entry.queryOptions({ documentId: document.id }), gcTime: 0 });
  if (query.data) {
    const reread = () => void query.refetch();
    return <EditEntry baseId={document.baseId} stored={query.data} onReread={reread} onClose={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title="Edit entry" size={680}>
      {query.error ? (
        <ErrorState
          title="The entry could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {errorWords(query.error).sentence}
        </ErrorState>
      ) : (
        <SkeletonRows rows={4} columns={["1fr"]} rowHeight={56} label="Loading the entry" />
      )}
    </Modal>
  );
}

type EditProps = {
  baseId: string;
  /** As it is stored now: it may change while somebody writes. */
  stored: EntryView;
  onReread: () => void;
  onClose: () => void;
};

const draftOf = (baseId: string, { entryKind, title, text }: EntryView): EntryDraft => ({
  ...{ baseId, entryKind, title, text },
});

function EditEntry({ baseId, stored, onReread, onClose }: EditProps) {
  const trpc = useTRPC();
  const entrySaved = useEntrySaved();
  /** What the form began with. */
  const [read, setRead] = useState(stored);
  const form = useEntryForm(draftOf(baseId, read));
  const isOld = stored.fileId !== read.fileId;
  const change = useMutation(
    trpc.knowledge.changeEntry.mutationOptions({
      onSuccess: () => {
        entrySaved();
        onClose();
      },
      onError: (error) => {
        form.setErrors(fieldErrorsOf(error));
        onReread();
      },
    }),
  );
  const submitOver = (fileId: string) =>
    form.onSubmit(({ entryKind, title, text }) => {
      if (!change.isPending) change.mutate({ documentId: stored.documentId, fileId, entryKind, title, text });
    });
  const takeTheirs = () => {
    setRead(stored);
    form.setValues(draftOf(baseId, stored));
    form.resetDirty(draftOf(baseId, stored));
    change.reset();
  };
  const isDirty = form.isDirty() && !change.isSuccess;
  const refusal = change.error && Object.keys(fieldErrorsOf(change.error)).length === 0 ? change.error : null;
  return (
    <FormModal opened onClose={onClose} isDirty={isDirty} size={680} title="Edit entry">
      <form className="col form" onSubmit={submitOver(read.fileId)} noValidate>
        {isOld ? (
          <SavedMeanwhile stored={stored} onTake={takeTheirs} onOverwrite={() => submitOver(stored.fileId)()} />
        ) : (
          refusal && (
            <Note tone="bad" role="alert">
              {errorWords(refusal).sentence}
            </Note>
          )
        )}
        <EntryFields form={form} />
        <div className="row form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={change.isPending} disabled={!isDirty || isOld}>
            Save entry
          </Button>
        </div>
      </form>
      <LeaveGuard active={isDirty} onDiscard={onClose} />
    </FormModal>
  );
}

type Meanwhile = { stored: EntryView; onTake: () => void; onOverwrite: () => void };

function SavedMeanwhile({ stored, onTake, onOverwrite }: Meanwhile) {
  return (
    <Note tone="warn" role="alert">
      <span className="b">{stored.savedBy ?? "Somebody"} saved this entry meanwhile</span>,{" "}
      <RelativeTime at={stored.savedAt} />. Your text is still in the form.
      <details className="entry-theirs">
        <summary>Show what was saved</summary>
        <p className="b">{stored.title}</p>
        <p className="prewrap">{stored.text}</p>
      </details>
      <span className="row">
        <button type="button" className="linkbtn fs12" onClick={onTake}>
          Take it in place of mine
        </button>
        <button type="button" className="linkbtn fs12" onClick={onOverwrite}>
          Save mine over it
        </button>
      </span>
    </Note>
  );
}
