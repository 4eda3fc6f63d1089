"use client";

import { IconMessages } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import { TURNS_AT_ONCE } from "@/server/conversations/schema";
import { ConversationSkeleton } from "./conversation-skeleton";
import { ConversationView } from "./conversation-view";

/** One conversation. */
export function ConversationPage({ conversationId }: { conversationId: string }) {
  const trpc = useTRPC();
  const [newest, setNewest] = useState(TURNS_AT_ONCE);
  const query = useQuery(
    trpc.conversations.get.queryOptions(
      { conversationId, newest },
      // While earlier turns are read, those that were there stay.
      { placeholderData: keepPreviousData },
    ),
  );
  const hydrated = useHydrated();
  if (hydrated && query.data) {
    const showEarlier = () => setNewest(newest + TURNS_AT_ONCE);
    return (
      <ConversationView
        conversation={query.data}
        isReadingEarlier={query.isPlaceholderData}
        onShowEarlier={showEarlier}
      />
    );
  }
  if (hydrated && isMissing(query.error)) {
    return (
      <EmptyState
        icon={IconMessages}
        title="There is no such conversation"
        action={<LinkButton href="/conversations">All conversations</LinkButton>}
      >
        It may have been deleted, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (hydrated && query.error) {
    return (
      <ErrorState
        title="The conversation could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} A question that is being answered goes on.
      </ErrorState>
    );
  }
  return <ConversationSkeleton />;
}
