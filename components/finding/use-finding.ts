"use client";

import { useQuery } from "@tanstack/react-query";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import type { FindingView } from "@/server/finding/schema";

/** How this workspace finds what is like a search; undefined until it is known, and where it could not be read. */
export function useFinding(): FindingView | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.finding.get.queryOptions());
  // It comes beside the page: the browser may know it before it takes over what the server drew without it.
  return useHydrated() ? data : undefined;
}

/** The model that finds by meaning, "provider/model"; null: by likeness of words, on this installation; undefined: not known yet. */
export function useMeaningModel(): string | null | undefined {
  const finding = useFinding();
  if (!finding) return undefined;
  return finding.byMeaning ? finding.embeddingModel : null;
}
