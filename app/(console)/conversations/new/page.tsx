import type { Metadata } from "next";
import { NewConversation } from "@/components/conversations/new-conversation";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "New conversation" };

export default async function NewConversationRoute() {
  await requireSignedIn("/conversations/new");
  prefetch(trpc.runs.targets.queryOptions());
  return (
    <HydrateClient>
      <NewConversation />
    </HydrateClient>
  );
}
