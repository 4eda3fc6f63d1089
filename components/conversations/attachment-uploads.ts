"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { sendFileTo } from "@/components/knowledge/upload-file";
import { isUnderWay, type Upload, UploadQueue } from "@/components/knowledge/upload-queue";
import { useTRPC } from "@/components/trpc/client";

/** The tab's files on their way into conversations: an entry's `baseId` is the id of its conversation. */
export const attachmentUploads = new UploadQueue(sendFileTo("conversationId"));

const NONE: readonly Upload[] = [];

/** Files of a conversation that are being sent or were refused; those stored are attachments by then. */
export function useAttachmentUploads(conversationId: string): readonly Upload[] {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const all = useSyncExternalStore(attachmentUploads.subscribe, attachmentUploads.list, () => NONE);
  const mine = all.filter((upload) => upload.baseId === conversationId);
  const stored = mine.filter(({ state }) => state === "stored").length;
  useEffect(() => {
    if (stored === 0) return;
    void queryClient.invalidateQueries({ queryKey: trpc.conversations.get.queryKey({ conversationId }) });
  }, [stored, trpc, queryClient, conversationId]);
  return mine.filter(({ state }) => state !== "stored");
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (attachmentUploads.list().some(isUnderWay)) event.preventDefault();
}
attachmentUploads.subscribe(() => {
  // A listener that is always there would keep the browser from caching the page.
  if (attachmentUploads.list().some(isUnderWay)) window.addEventListener("beforeunload", askBeforeLeaving);
  else window.removeEventListener("beforeunload", askBeforeLeaving);
});
