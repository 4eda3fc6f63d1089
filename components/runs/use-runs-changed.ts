"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Reads again what shows runs by title, tag or number: lists, the run page, what can be filtered by, conversations. */
export function useRunsChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [
        trpc.runs.list.pathKey(),
        trpc.runs.tree.pathKey(),
        trpc.runs.choices.pathKey(),
        trpc.runs.summary.pathKey(),
        trpc.conversations.pathKey(),
      ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
}
