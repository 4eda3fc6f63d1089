"use client";

import "./conversations.css";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useDeferredValue, useState } from "react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { LinkButton } from "@/components/ui/link-button";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ConversationList } from "./conversation-list";

const SEARCH_AFTER_MS = 250;

/** List at the left, conversation at the right; a phone shows one of them. */
export function ConversationsFrame({ children }: { children: ReactNode }) {
  const isList = usePathname() === "/conversations";
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  // The list stays until the next one is there.
  const shown = useDeferredValue(search);
  return (
    <div className={`talks${isList ? " list-only" : ""}`}>
      <aside className="talks-side" aria-label="Conversations">
        <header className="talks-head">
          <h1>Conversations</h1>
          <NewButton />
        </header>
        <search className="talks-search">
          <TextInput
            aria-label="Search conversations"
            placeholder="Search titles and questions"
            type="search"
            maxLength={200}
            leftSection={<IconSearch size={14} aria-hidden />}
            value={typed}
            data-page-search
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </search>
        <LoadBoundary
          pending={<SkeletonRows rows={8} columns={["1fr"]} rowHeight={52} label="Loading conversations" />}
          failed="The conversations could not be loaded"
        >
          <ConversationList search={shown} onClear={() => setTyped("")} />
        </LoadBoundary>
      </aside>
      <section className="talks-main" aria-label="Conversation">
        {children}
      </section>
    </div>
  );
}

function NewButton() {
  const whyNot = useWhyNotAct();
  const plus = <IconPlus size={15} aria-hidden />;
  if (whyNot) {
    return (
      <ReasonButton leftSection={plus} whyNot={whyNot} onClick={() => {}}>
        New
      </ReasonButton>
    );
  }
  return (
    <LinkButton href="/conversations/new" leftSection={plus}>
      New
    </LinkButton>
  );
}
