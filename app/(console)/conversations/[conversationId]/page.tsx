import type { Metadata } from "next";
import { ConversationPage } from "@/components/conversations/conversation-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Conversation" };

export default async function ConversationRoute({ params }: { params: Promise<{ conversationId: string }> }) {
  const { conversationId } = await params;
  await requireSignedIn(`/conversations/${encodeURIComponent(conversationId)}`);
  prefetch(trpc.conversations.get.queryOptions({ conversationId }));
  prefetch(trpc.feedback.onConversation.queryOptions({ conversationId }));
  return (
    <HydrateClient>
      <ConversationPage key={conversationId} conversationId={conversationId} />
    </HydrateClient>
  );
}
