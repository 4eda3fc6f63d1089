import type { Metadata } from "next";
import { AgentPage } from "@/components/agents/agent-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Agent" };

type Props = {
  params: Promise<{ agentId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function AgentRoute({ params, searchParams }: Props) {
  const { agentId } = await params;
  const { publish } = await searchParams;
  await requireSignedIn(`/agents/${encodeURIComponent(agentId)}`);
  prefetch(trpc.agents.get.queryOptions({ agentId }));
  prefetch(trpc.agents.tools.queryOptions());
  prefetch(trpc.knowledge.bases.queryOptions());
  prefetch(trpc.providers.models.queryOptions());
  return (
    <HydrateClient>
      <AgentPage agentId={agentId} publish={publish === "1"} />
    </HydrateClient>
  );
}
