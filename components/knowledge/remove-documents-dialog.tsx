"use client";

import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { BaseDetail, DocumentView } from "@/server/knowledge/schema";

/** Names listed one by one; more are counted. */
const MOST_NAMED = 8;
/** What one call may take away; of a larger selection these go first. */
const AT_A_TIME = 500;

type Props = {
  base: Pick<BaseDetail, "id" | "name">;
  documents: readonly Pick<DocumentView, "id" | "name" | "chunks">[];
  opened: boolean;
  onClose: () => void;
  onRemoved: () => void;
};

/** Asks before documents go, naming them and what stays. */
export function RemoveDocumentsDialog({ base, documents, opened, onClose, onRemoved }: Props) {
  // The words stay while the dialog fades away, when nothing is selected any more.
  const [kept, setKept] = useState(documents);
  if (opened && kept !== documents) setKept(documents);
  const shown = kept.slice(0, AT_A_TIME);
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.knowledge.removeDocuments.mutationOptions({
      onSuccess: () => {
        for (const noun of ["documents", "base", "bases"] as const) {
          void queryClient.invalidateQueries({ queryKey: trpc.knowledge[noun].pathKey() });
        }
        onRemoved();
      },
    }),
  );
  const passages = shown.reduce((sum, { chunks }) => sum + chunks, 0);
  const what = shown.length === 1 ? `“${shown[0]?.name}”` : formatPlural(shown.length, "document");
  return (
    <Modal opened={opened} onClose={onClose} title={`Remove ${what}?`} size={480}>
      <div className="col form">
        {shown.length > 1 && (
          <ul className="going">
            {shown.slice(0, MOST_NAMED).map(({ id, name }) => (
              <li key={id} className="ell" title={name}>
                {name}
              </li>
            ))}
            {shown.length > MOST_NAMED && <li className="t3">and {formatCount(shown.length - MOST_NAMED)} more</li>}
          </ul>
        )}
        <p className="t2">
          {shown.length === 1 ? "The file" : "The files"} and {formatPlural(passages, "indexed passage")} go from{" "}
          {base.name}: agents find them no longer. Answers that cite them keep their quotes.
        </p>
        {remove.error && (
          <Note tone="bad" role="alert">
            {errorWords(remove.error).sentence}
          </Note>
        )}
        <div className="row form-actions">
          <Button onClick={onClose} data-autofocus>
            Keep {shown.length === 1 ? "it" : "them"}
          </Button>
          <Button
            data-danger
            loading={remove.isPending}
            onClick={() => remove.mutate({ baseId: base.id, documentIds: shown.map(({ id }) => id) })}
          >
            Remove {shown.length === 1 ? "the document" : formatPlural(shown.length, "document")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
