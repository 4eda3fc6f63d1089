"use client";

import { Select } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { countedNames } from "@/components/runs/run-labels";
import { textKey } from "@/components/runs/run-live-text";
import { agentKey } from "@/components/runs/run-nodes";
import { AgentSelect } from "@/components/runs/views/agent-select";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useLookSearch } from "@/components/runs/views/use-look-search";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { SearchField } from "@/components/ui/search-field";
import type { RunMessage } from "@/server/runs/queries/inside/schema";

const ROLE_WORDS: Record<RunMessage["role"], string> = {
  system: "Instructions",
  user: "Told",
  assistant: "Said",
  tool: "Tool result",
};
const ROLES = ["system", "user", "assistant", "tool"] as const;

/** What the models of the run were sent and said, agent run by agent run. */
export function MessagesLook({ state, view, onOpen }: LookProps) {
  const trpc = useTRPC();
  const { run, agents } = state;
  const [agentRunId, setAgent] = useState<string | null>(null);
  const [role, setRole] = useState<RunMessage["role"] | null>(null);
  const { search, field } = useLookSearch();
  const query = useInfiniteQuery({
    ...trpc.runInside.messages.infiniteQueryOptions(
      { runId: run.id, agentRunId, role, search },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
    ...rereadEvery(run.status),
  });
  useRereadAtEnd(run.status, query.refetch);
  return (
    <>
      <search className="filterbar look-bar">
        <SearchField
          aria-label="Search messages"
          placeholder="Search messages"
          title="Messages over 8 kB are not searched"
          {...field}
        />
        <AgentSelect agents={agents} label="Whose" none="Everybody" value={agentRunId} onChange={setAgent} />
        <Select
          className="look-select"
          aria-label="Kind of message"
          placeholder="Every kind"
          clearable
          data={ROLES.map((value) => ({ value, label: ROLE_WORDS[value] }))}
          value={role}
          onChange={(value) => setRole(ROLES.find((each) => each === value) ?? null)}
        />
      </search>
      <div className="look-body">
        <Loaded query={query} what="Messages">
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0) {
              return (
                <EmptyState title={search || agentRunId || role ? "No message matches" : "No messages yet"}>
                  {search && "Messages over 8 kB are not searched. Empty the search to look through them."}
                </EmptyState>
              );
            }
            return (
              <>
                <p className="t3 fs12">{formatPlural(pages[0]?.total ?? 0, "message")}</p>
                <ol className="said-list">
                  {items.map((message) => (
                    <Message
                      key={`${message.agentRunId} ${message.index}`}
                      message={message}
                      view={view}
                      onOpen={onOpen}
                    />
                  ))}
                </ol>
                <LoadMore query={query} />
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

function Message({ message, view, onOpen }: Pick<LookProps, "view" | "onOpen"> & { message: RunMessage }) {
  const { agentRunId, agentName, index, role, text, isCut, calls, position } = message;
  const key = position === null ? agentKey(agentRunId) : textKey(agentRunId, position);
  const isSelected = position !== null && view.selected === key;
  return (
    <li className={`said role-${role}${isSelected ? " on" : ""}`}>
      <div className="said-head">
        <button type="button" className="said-way" onClick={() => onOpen(key)} aria-pressed={isSelected}>
          <span className="b ell">{agentName}</span>
          <span className="t3 num">{index + 1}</span>
          <span className="t2">{ROLE_WORDS[role]}</span>
        </button>
        <CopyButton text={text} what="message" />
      </div>
      <p className="prewrap said-text">
        {text}
        {isCut && "…"}
      </p>
      {calls.length > 0 && (
        <p className="t2 fs12">
          asks for <span className="mono">{countedNames(calls)}</span>
        </p>
      )}
      {isCut && (
        <button type="button" className="linkbtn fs12" onClick={() => onOpen(key)}>
          The whole text is in the details
        </button>
      )}
    </li>
  );
}
