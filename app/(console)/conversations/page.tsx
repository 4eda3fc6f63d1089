import type { Metadata } from "next";
import { NoConversation } from "@/components/conversations/no-conversation";
import { requireSignedIn } from "@/server/auth/gate";

export const metadata: Metadata = { title: "Conversations" };

export default async function ConversationsRoute() {
  await requireSignedIn("/conversations");
  return <NoConversation />;
}
