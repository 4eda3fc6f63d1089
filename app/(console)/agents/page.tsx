import type { Metadata } from "next";
import { AgentsPage } from "@/components/agents/agents-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsRoute() {
  await requireSignedIn("/agents");
  prefetchInfinite(
    trpc.agents.list.infiniteQueryOptions({ search: "" }, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <HydrateClient>
      <AgentsPage />
    </HydrateClient>
  );
}
