"use client";

import { useHotkeys } from "@mantine/hooks";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useRef } from "react";
import { moveRowFocus } from "@/components/runs/run-row-focus";
import { useTRPC } from "@/components/trpc/client";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusIcon } from "@/components/ui/status";
import { statusWord, TONE_OF } from "@/components/ui/status-words";
import type { ConversationSummary } from "@/server/conversations/schema";
import { isTerminal } from "@/server/engine/state";
import { CONVERSATION_LIST } from "./conversation-list-input";

type Page = { items: ConversationSummary[]; nextCursor: string | null };

// Stable, so that the rows stay the same array while nothing changes.
const toRows = (data: { pages: Page[] }) => data.pages.flatMap((page) => page.items);

/** The one asked last first. */
export function ConversationList({ search, onClear }: { search: string; onClear: () => void }) {
  const trpc = useTRPC();
  const query = useSuspenseInfiniteQuery({
    ...trpc.conversations.list.infiniteQueryOptions(
      { ...CONVERSATION_LIST, search },
      { getNextPageParam: (page) => page.nextCursor },
    ),
    select: toRows,
  });
  const list = useRef<HTMLDivElement>(null);
  useHotkeys([
    ["j", () => moveRowFocus(list.current, 1)],
    ["k", () => moveRowFocus(list.current, -1)],
  ]);
  if (query.data.length === 0) {
    return (
      <div className="talks-none t2">
        {search ? (
          <>
            No conversation matches.{" "}
            <button type="button" className="linkbtn" onClick={onClear}>
              Clear the search
            </button>
          </>
        ) : (
          "No conversation yet. Ask a team or an agent, then follow up."
        )}
      </div>
    );
  }
  return (
    <div className="talks-list scroll" ref={list}>
      <ul>
        {query.data.map((conversation) => (
          <ConversationRow key={conversation.id} conversation={conversation} />
        ))}
      </ul>
      <LoadMore query={query} />
    </div>
  );
}

function ConversationRow({ conversation }: { conversation: ConversationSummary }) {
  const { id, title, target, status, updatedAt } = conversation;
  const href = `/conversations/${id}`;
  const here = usePathname() === href;
  // What went well needs no word; what moves, waits or failed does.
  const told = status !== null && status !== "completed" ? status : null;
  return (
    <li>
      <Link href={href} className="talk-row" aria-current={here ? "page" : undefined} data-row-link prefetch={false}>
        <span className="row">
          <span className="b ell grow">{title}</span>
          <RelativeTime at={updatedAt} className="t3 fs12" />
        </span>
        <span className="row t2 fs12">
          <span className="ell grow">
            {target.name}
            {target.isDeleted && " (deleted)"}
          </span>
          {told && (
            <span className="status" style={{ color: `var(--st-${TONE_OF[told]})` }}>
              <StatusIcon status={told} size={13} />
              <span className={isTerminal(told) ? "sr" : undefined}>{statusWord(told)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
