"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Lets whatever shows webhooks look again. */
export function useWebhooksChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() });
}
