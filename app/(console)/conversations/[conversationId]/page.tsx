import type { Metadata } from "next";
import { ConversationPage } from "@/components/conversations/conversation-page";
import { requireSignedIn } from "@/server/auth/gate";
import { TURNS_AT_ONCE } from "@/server/conversations/schema";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Conversation" };

export default async function ConversationRoute({ params }: { params: Promise<{ conversationId: string }> }) {
  const { conversationId } = await params;
  await requireSignedIn(`/conversations/${encodeURIComponent(conversationId)}`);
  prefetch(trpc.conversations.get.queryOptions({ conversationId, newest: TURNS_AT_ONCE }));
  prefetch(trpc.feedback.onConversation.queryOptions({ conversationId }));
  return (
    <HydrateClient>
      <ConversationPage key={conversationId} conversationId={conversationId} />
    </HydrateClient>
  );
}
