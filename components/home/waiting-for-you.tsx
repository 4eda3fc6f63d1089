"use client";

import { IconInbox } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { usePointed } from "@/components/ui/use-pointed";
import { HOME_LISTS } from "./home-lists";
import { WaitingItem } from "./waiting-item";
import { mergeWaiting, type Waiting } from "./waiting-order";

/**
 * Open requests, answered on the spot. What was answered here stays in its place, with its
 * outcome, until the page is left.
 */
export function WaitingForYou() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.requests.list.queryOptions(HOME_LISTS.requests));
  const pointed = usePointed();
  const [shown, setShown] = useState<{ from: readonly Waiting[]; items: readonly Waiting[] }>({
    from: data.items,
    items: data.items,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  if (shown.from !== data.items) {
    setShown({ from: data.items, items: mergeWaiting(shown.items, data.items, pointed.isPointed) });
  }

  const { items } = shown;
  const beyond = data.total - data.items.length;
  const unfolded = chosen ?? items.find(isOpen)?.id;

  return (
    <Panel title="Waiting for you" count={data.total} flush>
      {items.length === 0 ? (
        <EmptyState icon={IconInbox} title="Nothing waits for you">
          When an agent needs a person to decide, its question appears here.
        </EmptyState>
      ) : (
        <ul className="waiting" {...pointed.props}>
          {items.map((item) => (
            <WaitingItem
              key={item.id}
              item={item}
              unfolded={item.id === unfolded || item.status !== "open"}
              onToggle={() => setChosen(item.id === unfolded ? "" : item.id)}
              onSettled={(request) => {
                // Nothing unfolds by itself now: it could put another question's button under the pointer.
                setChosen("");
                setShown(({ from, items: before }) => ({
                  from,
                  items: before.map((each) => (each.id === item.id ? { ...each, ...request, gone: false } : each)),
                }));
              }}
            />
          ))}
          {beyond > 0 && <li className="t3 fs12 waiting-more">And {beyond} more, in their runs.</li>}
        </ul>
      )}
    </Panel>
  );
}

function isOpen(item: Waiting): boolean {
  return item.status === "open" && !item.gone;
}
