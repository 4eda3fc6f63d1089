"use client";

import { IconChevronRight } from "@tabler/icons-react";
import Link from "next/link";
import { useId, useState } from "react";
import { decisionTitle } from "@/components/runs/run-labels";
import { RelativeTime } from "@/components/ui/relative-time";
import { SourceBadge } from "@/components/ui/status";
import type { DecisionFilters, DecisionSummary } from "@/server/decisions/schema";
import { DecisionDetails } from "./decision-details";
import { decisionPlace } from "./decision-filters";
import { OutcomeWord } from "./outcome-word";
import { VerdictBadges } from "./verdict-badge";

type Props = { decision: DecisionSummary; onFilter: (change: Partial<DecisionFilters>) => void };

/** One decision: who chose what and why, what came of it, what people say of it; opened, all of that and how to judge it. */
export function DecisionRow({ decision, onFilter }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const bodyId = useId();
  const { agentName, runTitle, reason, source, outcome, labels, at, chosen, similarity, isImported } = decision;
  const options = [...new Map(chosen.map(({ option, label }) => [option, label]))];
  return (
    <li className="decision">
      <div className="decision-head">
        <button
          type="button"
          className="decision-what"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronRight size={14} className="t3" aria-hidden />
          <span>
            <span className="b">{decisionTitle(decision)}</span> <span className="t2">by {agentName}</span>
          </span>
        </button>
        <span className="decision-why">
          <SourceBadge source={source} />
          <span className="ell t2">{reason}</span>
        </span>
        <span className="decision-end">
          <OutcomeWord outcome={outcome} />
          <VerdictBadges labels={labels} />
          {similarity !== undefined && <span className="t3 fs12">{Math.round(100 * similarity)} % alike</span>}
        </span>
        <span className="decision-where">
          <Link href={decisionPlace(decision)} prefetch={false} className="ell" aria-label={`Show it in “${runTitle}”`}>
            {runTitle}
          </Link>
          {isImported && <span className="t3 fs12">Imported</span>}
          <RelativeTime at={at} className="t3" />
        </span>
      </div>
      {isOpen && (
        <div className="decision-body" id={bodyId}>
          {reason && <blockquote className="decision-reason">{reason}</blockquote>}
          <DecisionDetails decisionId={decision.id} />
          <p className="row wrap fs12">
            <button type="button" className="linkbtn" onClick={() => onFilter({ agent: agentName })}>
              Only decisions by {agentName}
            </button>
            {options.map(([option, label]) => (
              <button type="button" className="linkbtn" key={option} onClick={() => onFilter({ option })}>
                Only where {label} was chosen
              </button>
            ))}
          </p>
        </div>
      )}
    </li>
  );
}
