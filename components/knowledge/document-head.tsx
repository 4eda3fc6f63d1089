"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconPencil, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { formatBytes, formatCount, formatPlural } from "@/components/ui/format";
import { laterDialog } from "@/components/ui/later";
import { PageHead } from "@/components/ui/page-head";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DocumentView } from "@/server/knowledge/schema";
import { DocumentStatusBadge } from "./document-status";
import { EditButton } from "./edit-button";
import { EntryFromRun } from "./entry-from";
import { EntryKindBadge } from "./entry-kind";
import { fileTypeWord } from "./file-icon";
import { baseHref } from "./knowledge-links";
import { RemoveDocumentsDialog } from "./remove-documents-dialog";

const EditEntryDialog = laterDialog(() => import("./edit-entry-dialog").then((it) => it.EditEntryDialog));

/** What a document is, where its file can be had, and its removal. */
export function DocumentHead({ document, baseName }: { document: DocumentView; baseName: string }) {
  const router = useRouter();
  const [asking, dialog] = useDisclosure(false);
  const [editing, editor] = useDisclosure(false);
  const { entry } = document;
  return (
    <>
      <PageHead
        title={<span className="doc-title">{document.name}</span>}
        meta={
          <>
            <DocumentStatusBadge document={document} pill />
            {entry ? <EntryKindBadge kind={entry.kind} /> : <span>{fileTypeWord(document.mediaType)}</span>}
            <span>{formatBytes(document.sizeBytes)}</span>
            {document.pages !== null && <span>{formatPlural(document.pages, "page")}</span>}
            {document.chunks > 0 && <span>{formatPlural(document.chunks, "passage")}</span>}
            {document.characters > 0 && <span>{formatCount(document.characters)} characters</span>}
            <span className="t3">
              {entry ? "Written" : "Added"} <RelativeTime at={document.createdAt} />
              {document.createdBy && ` by ${document.createdBy}`}
              {entry?.changedAt && (
                <>
                  , changed <RelativeTime at={entry.changedAt} />
                  {entry.changedBy && ` by ${entry.changedBy}`}
                </>
              )}
              {document.indexedAt && (
                <>
                  , indexed <RelativeTime at={document.indexedAt} />
                </>
              )}
            </span>
            {entry?.from && <EntryFromRun from={entry.from} />}
          </>
        }
        actions={
          <>
            {entry && (
              <EditButton leftSection={<IconPencil size={15} aria-hidden />} onClick={editor.open}>
                Edit…
              </EditButton>
            )}
            <Button
              component="a"
              href={`/api/files/${document.fileId}`}
              download={entry ? undefined : document.name}
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              Download
            </Button>
            <EditButton data-danger leftSection={<IconTrash size={15} aria-hidden />} onClick={dialog.open}>
              Remove…
            </EditButton>
          </>
        }
      />
      {editing && <EditEntryDialog document={document} onClose={editor.close} />}
      <RemoveDocumentsDialog
        base={{ id: document.baseId, name: baseName }}
        documents={[document]}
        opened={asking}
        onClose={dialog.close}
        onRemoved={() => router.push(baseHref(document.baseId))}
      />
    </>
  );
}
