"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { formatBytes, formatCount, formatPlural } from "@/components/ui/format";
import { PageHead } from "@/components/ui/page-head";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DocumentView } from "@/server/knowledge/schema";
import { DocumentStatusBadge } from "./document-status";
import { EditButton } from "./edit-button";
import { fileTypeWord } from "./file-icon";
import { baseHref } from "./knowledge-links";
import { RemoveDocumentsDialog } from "./remove-documents-dialog";

/** What a document is, where its file can be had, and its removal. */
export function DocumentHead({ document, baseName }: { document: DocumentView; baseName: string }) {
  const router = useRouter();
  const [asking, dialog] = useDisclosure(false);
  return (
    <>
      <PageHead
        title={<span className="doc-title">{document.name}</span>}
        meta={
          <>
            <DocumentStatusBadge document={document} pill />
            <span>{fileTypeWord(document.mediaType)}</span>
            <span>{formatBytes(document.sizeBytes)}</span>
            {document.pages !== null && <span>{formatPlural(document.pages, "page")}</span>}
            {document.chunks > 0 && <span>{formatPlural(document.chunks, "passage")}</span>}
            {document.characters > 0 && <span>{formatCount(document.characters)} characters</span>}
            <span className="t3">
              Added <RelativeTime at={document.createdAt} />
              {document.createdBy && ` by ${document.createdBy}`}
              {document.indexedAt && (
                <>
                  , indexed <RelativeTime at={document.indexedAt} />
                </>
              )}
            </span>
          </>
        }
        actions={
          <>
            <Button
              component="a"
              href={`/api/files/${document.fileId}`}
              download={document.name}
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
