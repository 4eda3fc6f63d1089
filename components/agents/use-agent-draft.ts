"use client";

import { schemaResolver } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useDraft } from "@/components/editor/use-draft";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { AgentDetail } from "@/server/agents/schema";
import { type AgentValues, agentValues, toAgentInput, toAgentValues } from "./agent-values";

const validate = schemaResolver(agentValues, { sync: true });

/** The draft of an agent, or of one that does not exist yet. */
export function useAgentDraft(stored: AgentDetail | null) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const reread = (agentId: string) =>
    queryClient.fetchQuery(trpc.agents.get.queryOptions({ agentId }, { staleTime: 0 }));

  return useDraft<AgentValues, AgentDetail>({
    key: `agent ${stored?.id ?? "new"}`,
    stored,
    toValues: toAgentValues,
    validate,
    write: async (values, draftRevision) => {
      const input = toAgentInput(values);
      const now =
        stored && draftRevision !== null
          ? await client.agents.saveDraft.mutate({ agentId: stored.id, draftRevision, ...input })
          : await reread((await client.agents.create.mutate(input)).agentId);
      queryClient.setQueryData(trpc.agents.get.queryKey({ agentId: now.id }), now);
      void queryClient.invalidateQueries({ queryKey: trpc.agents.list.pathKey() });
      void queryClient.invalidateQueries({ queryKey: trpc.agents.choices.pathKey() });
      return now;
    },
    reread: async () => (stored ? reread(stored.id) : null),
  });
}
export type AgentDraft = ReturnType<typeof useAgentDraft>;
