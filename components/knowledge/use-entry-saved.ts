"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Reads again, without waiting for the hint, whatever shows documents. */
export function useEntrySaved(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { bases, base, documents, document, entry } = trpc.knowledge;
  return () => {
    for (const shown of [bases, base, documents, document, entry]) {
      void queryClient.invalidateQueries({ queryKey: shown.pathKey() });
    }
  };
}
