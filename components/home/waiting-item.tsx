"use client";

import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconCircleMinus,
  IconHelpCircle,
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
};

/** One request: a line that unfolds into its card. */
export function WaitingItem({ item, unfolded, onToggle, onSettled }: Props) {
  const Kind = item.kind === "question" ? IconHelpCircle : IconAlertTriangle;
  if (item.gone) return <GoneItem item={item} />;
  const Twist = unfolded ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <button type="button" className="line" aria-expanded={unfolded} onClick={onToggle}>
        <Twist size={14} className="t3" aria-hidden />
        <Kind size={16} stroke={1.6} color="var(--k-human)" aria-hidden />
        <span className="grow ell">{unfolded ? item.runTitle : item.prompt}</span>
        {!unfolded && <span className="t3 fs12 hide-m ell line-who">{item.agentName}</span>}
        {!unfolded && <RequestDeadline request={item} brief />}
      </button>
      {unfolded && (
        <div className="waiting-card">
          <RequestCard
            request={item}
            onSettled={onSettled}
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

function GoneItem({ item }: { item: Waiting }) {
  return (
    <li className="line line-gone">
      <IconCircleMinus size={16} stroke={1.6} aria-hidden />
      <span className="grow ell">
        No longer waits:{" "}
        <Link href={`/runs/${item.runId}`} className="run-link">
          {item.runTitle}
        </Link>
      </span>
    </li>
  );
}
