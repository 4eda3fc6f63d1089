"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { FindingView } from "@/server/finding/schema";

/** How this workspace finds what is like a search; undefined until it is known, and where it could not be read. */
export function useFinding(): FindingView | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.finding.get.queryOptions()).data;
}

/** The model that finds by meaning, "provider/model"; null: by likeness of words, on this installation; undefined: not known yet. */
export function useMeaningModel(): string | null | undefined {
  const finding = useFinding();
  if (!finding) return undefined;
  return finding.byMeaning ? finding.embeddingModel : null;
}
