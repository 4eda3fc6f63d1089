import type { Metadata } from "next";
import { toolServerHref } from "@/components/tool-servers/tool-server-links";
import { ToolServerPage } from "@/components/tool-servers/tool-server-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Tool server" };

type Props = { params: Promise<{ toolServerId: string }> };

export default async function ToolServerRoute({ params }: Props) {
  const { toolServerId } = await params;
  await requireSignedIn(toolServerHref(encodeURIComponent(toolServerId)));
  prefetch(trpc.toolServers.list.queryOptions());
  return (
    <HydrateClient>
      <ToolServerPage key={toolServerId} toolServerId={toolServerId} />
    </HydrateClient>
  );
}
