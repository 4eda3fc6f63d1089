"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { ToolServerView } from "@/server/tool-servers/schema";

/** Puts a server as the answer of a change says it into the list, and lets everything else that shows tools look again. */
export function useServerSaved(): (server: ToolServerView) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (server) => {
    queryClient.setQueryData(trpc.toolServers.list.queryKey(), (known) =>
      known?.some(({ id }) => id === server.id)
        ? known.map((other) => (other.id === server.id ? server : other))
        : [...(known ?? []), server].sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    void queryClient.invalidateQueries({ queryKey: trpc.toolServers.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
  };
}
