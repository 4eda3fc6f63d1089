"use client";

import { IconMessages } from "@tabler/icons-react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** The right side while none is chosen. */
export function NoConversation() {
  const whyNot = useWhyNotAct();
  if (whyNot)
    return (
      <EmptyState icon={IconMessages} title="Choose a conversation to read">
        {whyNot}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconMessages}
      title="Ask a team or an agent"
      action={
        <LinkButton href="/conversations/new" variant="filled">
          New conversation
        </LinkButton>
      }
    >
      It knows what was asked and answered before, and searches the files you attach. Each question is a run you can
      open and review.
    </EmptyState>
  );
}
