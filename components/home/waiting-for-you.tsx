"use client";

import { SegmentedControl } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { startTransition, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { usePointed } from "@/components/ui/use-pointed";
import type { RequestView } from "@/server/engine/events";
import { WHOSE_REQUESTS, type WhoseRequests } from "@/server/requests/schema";
import { HOME_LISTS } from "./home-lists";
import { WaitingItem } from "./waiting-item";
import { mergeWaiting, type Waiting } from "./waiting-order";

const WHOSE_WORDS: Record<WhoseRequests, string> = { everybody: "All", mine: "Mine", nobody: "Unassigned" };

const NOTHING: Record<WhoseRequests, { title: string; words: string }> = {
  everybody: {
    title: "Nothing waits for you",
    words: "When an agent needs a person to decide, its question appears here.",
  },
  mine: {
    title: "Nothing waits for you",
    words: "No run that you started asks anything, and nobody has assigned a question to you.",
  },
  nobody: { title: "Every question is somebody's", words: "Each open question is assigned to a person." },
};

/** Open requests: all, those for whoever looks, or those that are nobody's. */
export function WaitingForYou() {
  const [whose, setWhose] = useState<WhoseRequests>("everybody");
  return <WaitingList key={whose} whose={whose} onWhose={(next) => startTransition(() => setWhose(next))} />;
}

/**
 * Answered on the spot. What was answered here stays in its place, with its
 * outcome, until the page is left.
 */
function WaitingList({ whose, onWhose }: { whose: WhoseRequests; onWhose: (whose: WhoseRequests) => void }) {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.requests.list.queryOptions({ ...HOME_LISTS.requests, whose }));
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
  /** Shows what became of one by something done here, in its place. */
  const become = (request: RequestView, also: Partial<Waiting> = {}) =>
    setShown(({ from, items: before }) => ({
      from,
      items: before.map((each) => (each.id === request.id ? { ...each, ...request, ...also, gone: false } : each)),
    }));
  const unfolded = chosen ?? items.find(isOpen)?.id;

  return (
    <Panel
      id="waiting"
      title="Waiting for you"
      count={data.total}
      actions={
        (whose !== "everybody" || items.length > 0) && (
          <SegmentedControl
            size="xs"
            aria-label="Whose questions"
            data={WHOSE_REQUESTS.map((value) => ({ value, label: WHOSE_WORDS[value] }))}
            value={whose}
            onChange={onWhose}
          />
        )
      }
      flush
    >
      {items.length === 0 ? (
        <EmptyState icon={IconInbox} title={NOTHING[whose].title}>
          {NOTHING[whose].words}
        </EmptyState>
      ) : (
        <ul className="waiting-list" {...pointed.props}>
          {items.map((item) => (
            <WaitingItem
              key={item.id}
              item={item}
              unfolded={item.id === unfolded || item.status !== "open"}
              onToggle={() => setChosen(item.id === unfolded ? "" : item.id)}
              onSettled={(request) => {
                // Nothing unfolds by itself now: it could put another question's button under the pointer.
                setChosen("");
                become(request);
              }}
              onAssigned={(request) => become(request, { stays: whose !== "everybody" })}
              goneWords={whose === "everybody" ? "No longer waits" : "No longer in this list"}
            />
          ))}
          {beyond > 0 && (
            <li className="t3 fs12 waiting-more">
              And {formatCount(beyond)} more, in{" "}
              <Link className="run-link" href="/runs?status=waiting" prefetch={false}>
                the runs that wait
              </Link>
              .
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function isOpen(item: Waiting): boolean {
  return item.status === "open" && !item.gone;
}
