"use client";

import { IconInbox } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { HOME_LISTS } from "./home-lists";
import { type Waiting, WaitingItem } from "./waiting-item";

/** Open requests, answered on the spot. What was answered here stays, with its outcome, until the page is left. */
export function WaitingForYou() {
  const trpc = useTRPC();
  const query = useQuery(trpc.requests.list.queryOptions(HOME_LISTS.requests));
  const [settled, setSettled] = useState<readonly Waiting[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);

  const open = query.data?.items ?? [];
  const openIds = new Set(open.map((item) => item.id));
  const items = [...settled.filter((item) => !openIds.has(item.id)), ...open];
  const total = query.data?.total ?? 0;
  const unfolded = chosen ?? open[0]?.id;

  return (
    <Panel title="Waiting for you" count={query.data ? total : undefined} flush>
      {query.isPending ? (
        <SkeletonRows rows={3} rowHeight={44} label="Loading requests" columns={["1fr", "72px"]} />
      ) : query.isError && items.length === 0 ? (
        <ErrorState
          title="The requests could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {errorWords(query.error).sentence} They are stored and wait.
        </ErrorState>
      ) : items.length === 0 ? (
        <EmptyState icon={IconInbox} title="Nothing waits for you">
          When an agent needs a person to decide, its question appears here.
        </EmptyState>
      ) : (
        <ul className="waiting scroll">
          {items.map((item) => (
            <WaitingItem
              key={item.id}
              item={item}
              unfolded={item.id === unfolded || settled.some((each) => each.id === item.id)}
              onToggle={() => setChosen(item.id === unfolded ? "" : item.id)}
              onSettled={(request) => {
                setChosen(null);
                setSettled((before) => [...before.filter((each) => each.id !== item.id), { ...item, ...request }]);
              }}
            />
          ))}
          {total > open.length && (
            <li className="t3 fs12 waiting-more">And {total - open.length} more, in their runs.</li>
          )}
        </ul>
      )}
    </Panel>
  );
}
