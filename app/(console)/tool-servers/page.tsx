import type { Metadata } from "next";
import { ToolsPage } from "@/components/tool-servers/tools-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Tools" };

export default async function ToolsRoute() {
  await requireSignedIn("/tool-servers");
  prefetch(trpc.toolServers.list.queryOptions());
  prefetch(trpc.agents.tools.queryOptions());
  return (
    <HydrateClient>
      <ToolsPage />
    </HydrateClient>
  );
}
