"use client";

import { IconChevronRight } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatPlural } from "@/components/ui/format";
import type { DecisionFilters, OptionOutcomes } from "@/server/decisions/schema";

/** Parts of a bar, in this order; each also stands in words beside it. */
const PARTS = [
  { part: "completed", word: "ended well", color: "var(--st-succeeded)" },
  { part: "failed", word: "failed or stopped", color: "var(--st-failed)" },
  { part: "open", word: "still open", color: "var(--st-running)" },
  { part: "nothing", word: "without a step of its own", color: "var(--bar-queued)" },
] as const;

type Props = { filters: DecisionFilters; onFilter: (change: Partial<DecisionFilters>) => void };

/** How often each option was chosen among what the filter shows, and how that ended. A press shows only where it was chosen. */
export function OutcomeChart({ filters, onFilter }: Props) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const { options, others, decisions, isCut } = useSuspenseQuery(trpc.decisions.outcomes.queryOptions(filters)).data;
  const most = Math.max(1, ...options.map(({ times }) => times));
  if (options.length === 0) return null;
  const among = isCut ? `the newest ${formatCount(decisions)} decisions` : formatPlural(decisions, "decision");
  const title = `Outcome by choice, ${among}${
    others > 0 ? `; the ${options.length} most frequent of ${formatCount(options.length + others)} options` : ""
  }`;
  return (
    <section className="outcome-chart" aria-label="Outcome by choice">
      <h2 className="section-label">{title}</h2>
      {/* On a phone: the bars would stand before the list by several screens. */}
      <button type="button" className="outcome-fold fs12" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden />
        {title}
      </button>
      <ul>
        {options.map((option) => (
          <li key={option.option}>
            <button
              type="button"
              className="outcome-bar"
              aria-pressed={filters.option === option.option}
              onClick={() => onFilter({ option: filters.option === option.option ? "" : option.option })}
            >
              <span className="outcome-name">{option.label}</span>
              <span className="outcome-track" aria-hidden>
                <span className="meter" style={{ width: `${(100 * option.times) / most}%` }}>
                  {PARTS.filter(({ part }) => option[part] > 0).map(({ part, color }) => (
                    <span key={part} style={{ width: `${(100 * option[part]) / option.times}%`, background: color }} />
                  ))}
                </span>
              </span>
              <span className="t2 fs12 outcome-words">{wordsOf(option)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "42 times: 38 ended well, 3 failed or stopped, 1 still open". */
function wordsOf(option: OptionOutcomes): string {
  const parts = PARTS.flatMap(({ part, word }) => (option[part] > 0 ? [`${formatCount(option[part])} ${word}`] : []));
  return `${formatPlural(option.times, "time")}: ${parts.join(", ")}`;
}
