"use client";

import { IconInbox } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { HOME_LISTS } from "./home-lists";
import { type Waiting, WaitingItem } from "./waiting-item";

/** Open requests, answered on the spot. What was answered here stays, with its outcome, until the page is left. */
export function WaitingForYou() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.requests.list.queryOptions(HOME_LISTS.requests));
  const [settled, setSettled] = useState<readonly Waiting[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);

  const settledIds = new Set(settled.map((item) => item.id));
  const open = data.items.filter((item) => !settledIds.has(item.id));
  const items = [...settled, ...open];
  const beyond = data.total - data.items.length;
  const unfolded = chosen ?? open[0]?.id;

  return (
    <Panel title="Waiting for you" count={data.total} flush>
      {items.length === 0 ? (
        <EmptyState icon={IconInbox} title="Nothing waits for you">
          When an agent needs a person to decide, its question appears here.
        </EmptyState>
      ) : (
        <ul className="waiting">
          {items.map((item) => (
            <WaitingItem
              key={item.id}
              item={item}
              unfolded={item.id === unfolded || settledIds.has(item.id)}
              onToggle={() => setChosen(item.id === unfolded ? "" : item.id)}
              onSettled={(request) => {
                setChosen(null);
                setSettled((before) => [...before.filter((each) => each.id !== item.id), { ...item, ...request }]);
              }}
            />
          ))}
          {beyond > 0 && <li className="t3 fs12 waiting-more">And {beyond} more, in their runs.</li>}
        </ul>
      )}
    </Panel>
  );
}
