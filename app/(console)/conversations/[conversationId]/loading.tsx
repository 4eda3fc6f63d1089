import { ConversationSkeleton } from "@/components/conversations/conversation-skeleton";

export default function ConversationLoading() {
  return <ConversationSkeleton />;
}
