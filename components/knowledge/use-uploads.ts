"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/client";
import { isUnderWay, type Upload, uploads } from "./upload-queue";

const NONE: readonly Upload[] = [];

/** The files this tab is uploading, of all bases. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.list, () => NONE);
}

/** Reads the lists again when a file is stored, without waiting for the hint. */
export function useRereadAfterUpload(list: readonly Upload[]): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const stored = list.filter(({ state }) => state === "stored").length;
  useEffect(() => {
    if (stored === 0) return;
    for (const queryKey of [trpc.knowledge.documents.pathKey(), trpc.knowledge.base.pathKey()]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  }, [stored, trpc, queryClient]);
}

/** Lets the browser ask before the tab is closed over a file that is still on its way, whatever page is shown. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (uploads.list().some(isUnderWay)) event.preventDefault();
}
uploads.subscribe(() => {
  // A listener that is always there would keep the browser from caching the page.
  if (uploads.list().some(isUnderWay)) window.addEventListener("beforeunload", askBeforeLeaving);
  else window.removeEventListener("beforeunload", askBeforeLeaving);
});
