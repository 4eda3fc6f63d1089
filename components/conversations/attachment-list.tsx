"use client";

import { IconRefresh, IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileIcon } from "@/components/knowledge/file-icon";
import { documentWord, isBusy, progressWords } from "@/components/knowledge/knowledge-words";
import { isUnderWay, type Upload } from "@/components/knowledge/upload-queue";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatBytes, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { DocumentView } from "@/server/knowledge/schema";
import { attachmentUploads } from "./attachment-uploads";

type Props = { conversationId: string; attachments: readonly DocumentView[]; uploads: readonly Upload[] };

/** What the conversation searches, and what is on its way there: each with its state, its problem and how to take it off. */
export function AttachmentList({ conversationId, attachments, uploads }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNot = useWhyNotAct();
  const reread = () => queryClient.invalidateQueries({ queryKey: trpc.conversations.get.queryKey({ conversationId }) });
  const remove = useMutation(trpc.knowledge.removeDocuments.mutationOptions({ onSettled: reread }));
  const retry = useMutation(trpc.knowledge.retry.mutationOptions({ onSettled: reread }));
  if (attachments.length + uploads.length === 0) return null;
  const problem = remove.error ?? retry.error;
  const mayChange = whyNot === null;
  return (
    <div className="files-area">
      {problem && (
        <Note tone="bad" role="alert">
          {errorWords(problem).sentence}
        </Note>
      )}
      <ul className="files" aria-label="Attached files">
        {attachments.map((file) => (
          <li key={file.id} className="file" data-state={file.status}>
            <FileIcon mediaType={file.mediaType} />
            <a
              href={`/api/files/${file.fileId}`}
              className="ell b"
              title={`Download ${file.name}`}
              download={file.name}
            >
              {file.name}
            </a>
            <AttachmentState file={file} />
            {mayChange && file.status === "failed" && (
              <FileButton
                label={`Read ${file.name} again`}
                icon="again"
                onClick={() => retry.mutate({ documentId: file.id })}
              />
            )}
            {mayChange && (
              <FileButton
                label={`Remove ${file.name}`}
                icon="remove"
                onClick={() => remove.mutate({ baseId: file.baseId, documentIds: [file.id] })}
              />
            )}
          </li>
        ))}
        {uploads.map((upload) => (
          <li key={upload.id} className="file" data-state={upload.state === "refused" ? "failed" : upload.state}>
            <FileIcon mediaType="" />
            <span className="ell b" title={upload.name}>
              {upload.name}
            </span>
            <span
              className={upload.state === "refused" ? "file-problem" : "t3"}
              role={upload.state === "refused" ? "alert" : undefined}
            >
              {uploadWords(upload)}
            </span>
            {upload.state === "refused" && upload.again && (
              <FileButton
                label={`Send ${upload.name} again`}
                icon="again"
                onClick={() => attachmentUploads.retry(upload.id)}
              />
            )}
            <FileButton
              label={isUnderWay(upload) ? `Cancel ${upload.name}` : `Dismiss ${upload.name}`}
              icon="remove"
              onClick={() => attachmentUploads.remove(upload.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function AttachmentState({ file }: { file: DocumentView }) {
  if (file.status === "failed") return <span className="file-problem">{file.problem ?? "It could not be read."}</span>;
  if (isBusy(file)) return <span className="t3">{progressWords(file) ?? documentWord(file)}</span>;
  return <span className="t3 num">{formatPlural(file.chunks, "passage")}</span>;
}

function uploadWords(upload: Upload): string {
  switch (upload.state) {
    case "waiting":
      return "Waits";
    case "sending":
      return upload.sentBytes >= upload.sizeBytes
        ? "Being stored"
        : `${formatBytes(upload.sentBytes)} of ${formatBytes(upload.sizeBytes)}`;
    case "refused":
      return upload.problem;
    case "stored":
      return "Stored";
  }
}

function FileButton({ label, icon, onClick }: { label: string; icon: "remove" | "again"; onClick: () => void }) {
  const Glyph = icon === "remove" ? IconX : IconRefresh;
  return (
    <button type="button" className="icon-btn file-btn" aria-label={label} title={label} onClick={onClick}>
      <Glyph size={13} aria-hidden />
    </button>
  );
}
