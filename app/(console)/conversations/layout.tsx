import type { ReactNode } from "react";
import { CONVERSATION_LIST } from "@/components/conversations/conversation-list-input";
import { ConversationsFrame } from "@/components/conversations/conversations-frame";
import { findSignedIn } from "@/server/auth/gate";
import { handDown, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export default async function ConversationsLayout({ children }: { children: ReactNode }) {
  if (await findSignedIn()) {
    prefetchInfinite(
      trpc.conversations.list.infiniteQueryOptions(CONVERSATION_LIST, { getNextPageParam: (page) => page.nextCursor }),
    );
  }
  return handDown(<ConversationsFrame>{children}</ConversationsFrame>);
}
