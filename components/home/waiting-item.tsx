"use client";

import {
  type Icon,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconCircleMinus,
  IconCoin,
  IconHandStop,
  IconHelpCircle,
  IconRepeat,
} from "@tabler/icons-react";
import Link from "next/link";
import { RequestCard } from "@/components/requests/request-card";
import { RequestDeadline } from "@/components/requests/request-deadline";
import type { RequestView } from "@/server/engine/events";
import type { Waiting } from "./waiting-order";

type Props = {
  item: Waiting;
  unfolded: boolean;
  onToggle: () => void;
  onSettled: (request: RequestView) => void;
  onAssigned: (request: RequestView) => void;
  /** Said of one that left the list. */
  goneWords: string;
};

const KIND_ICONS: Record<RequestView["kind"], Icon> = {
  question: IconHelpCircle,
  approval: IconHandStop,
  uncertain_effect: IconAlertTriangle,
  loop: IconRepeat,
  budget: IconCoin,
};

/** One request: a line that unfolds into its card. */
export function WaitingItem({ item, unfolded, onToggle, onSettled, onAssigned, goneWords }: Props) {
  const Kind = KIND_ICONS[item.kind];
  if (item.gone) return <GoneItem item={item} words={goneWords} />;
  const Twist = unfolded ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <button type="button" className="line" aria-expanded={unfolded} onClick={onToggle}>
        <Twist size={14} className="t3" aria-hidden />
        <Kind size={16} stroke={1.6} color="var(--k-human)" aria-hidden />
        <span className="grow ell">{unfolded ? item.runTitle : item.prompt}</span>
        {!unfolded && item.assignee && <span className="tag hide-m ell line-who">For {item.assignee.name}</span>}
        {!unfolded && <span className="t3 fs12 hide-m ell line-who">{item.agentName}</span>}
        {!unfolded && <RequestDeadline request={item} brief isHeld={item.isHeld} />}
      </button>
      {unfolded && (
        <div className="waiting-card">
          <RequestCard
            request={item}
            isHeld={item.isHeld}
            onSettled={onSettled}
            onAssigned={onAssigned}
            origin={
              <Link className="run-link" href={`/runs/${item.runId}`} prefetch={false}>
                Open the run
              </Link>
            }
          />
        </div>
      )}
    </li>
  );
}

function GoneItem({ item, words }: { item: Waiting; words: string }) {
  return (
    <li className="line line-gone">
      <IconCircleMinus size={16} stroke={1.6} aria-hidden />
      <span className="grow ell">
        {words}:{" "}
        <Link href={`/runs/${item.runId}`} className="run-link">
          {item.runTitle}
        </Link>
      </span>
    </li>
  );
}
