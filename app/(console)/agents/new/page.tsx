import type { Metadata } from "next";
import { AgentPage } from "@/components/agents/agent-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "New agent" };

export default async function NewAgentRoute() {
  await requireSignedIn("/agents/new");
  prefetch(trpc.agents.tools.queryOptions());
  prefetch(trpc.knowledge.bases.queryOptions());
  prefetch(trpc.providers.models.queryOptions());
  return (
    <HydrateClient>
      <AgentPage />
    </HydrateClient>
  );
}
