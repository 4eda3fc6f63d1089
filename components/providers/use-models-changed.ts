"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Brings everything that names models up to date after a change: the page, pickers in forms, the banner. */
export function useModelsChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.providers.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.workspace.pathKey() }),
    ]);
}
