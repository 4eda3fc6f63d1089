"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useServerSaved } from "./use-server-saved";

/** The connection test: the one thing on these screens that connects or starts anything. */
export function useCheckServer() {
  const trpc = useTRPC();
  const saved = useServerSaved();
  return useMutation(trpc.toolServers.check.mutationOptions({ onSuccess: ({ server }) => saved(server) }));
}
export type CheckServer = ReturnType<typeof useCheckServer>;
