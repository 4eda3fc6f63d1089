"use client";

import { IconChevronRight } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatDuration, formatMoney, formatPlural } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import type { SpendingFilters, SpendingSummary } from "@/server/spending/schema";
import { DayChart } from "./day-chart";
import { ofAnyOrder } from "./spending-filters";
import { dayWord } from "./spending-words";
import { Untold } from "./untold";

/** All calls of the filter in a line, what is not in these figures, and how cost and time to first token went from day to day. */
export function SpendingTotals({ filters }: { filters: SpendingFilters }) {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const { data: summary } = useSuspenseQuery(trpc.spending.summary.queryOptions(ofAnyOrder(filters)));
  const { total, from, to } = summary;
  const isSilent = total.answered === total.silentCalls;
  if (total.calls === 0) {
    return (
      summary.removed.runs > 0 && (
        <div className="list-note">
          <Missing summary={summary} />
        </div>
      )
    );
  }
  return (
    <section className="spending-totals" aria-label="In all">
      <h2 className="section-label">
        {from === to ? dayWord(from) : `${dayWord(from)} to ${dayWord(to)}`}{" "}
        <span className="count">days begin at midnight UTC</span>
      </h2>
      <dl className="spending-stats">
        <Stat name="Cost">
          {isSilent ? (
            total.answered === 0 ? (
              <Untold />
            ) : (
              <span className="t3">no usage data</span>
            )
          ) : (
            <Money nanoUsd={total.costNanoUsd} digits={2} unpricedCalls={total.unpricedCalls} />
          )}
        </Stat>
        <Stat name="Calls">{formatCount(total.calls)}</Stat>
        <Stat name="Failed">{formatCount(total.failed)}</Stat>
        <Stat name="Tokens in">{isSilent ? <Untold /> : formatCount(total.inputTokens)}</Stat>
        <Stat name="of them cached">{isSilent ? <Untold /> : formatCount(total.cachedTokens)}</Stat>
        <Stat name="Tokens out">{isSilent ? <Untold /> : formatCount(total.outputTokens)}</Stat>
        <Stat name="of them reasoning">
          {total.reasoningTokens === null ? <Untold /> : formatCount(total.reasoningTokens)}
        </Stat>
        <Stat name="First token, median">
          {total.firstTokenMs === null ? <Untold /> : formatDuration(total.firstTokenMs.median)}
        </Stat>
        <Stat name="95 % within">
          {total.firstTokenMs === null ? <Untold /> : formatDuration(total.firstTokenMs.p95)}
        </Stat>
        <Stat name="Whole call, median">
          {total.durationMs === null ? <Untold /> : formatDuration(total.durationMs)}
        </Stat>
      </dl>
      <Missing summary={summary} />
      {from !== to && (
        <>
          {/* On a phone: the charts would stand before the list by a screen. */}
          <button
            type="button"
            className="spending-fold fs12"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconChevronRight size={14} aria-hidden />
            From day to day
          </button>
          <Charts summary={summary} />
        </>
      )}
    </section>
  );
}

function Stat({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the figures leave out. */
function Missing({ summary: { total, removed } }: { summary: SpendingSummary }) {
  return (
    <>
      {total.silentCalls > 0 && (
        <Note tone="warn">
          No usage data for {formatPlural(total.silentCalls, "call")}: the provider did not say what{" "}
          {total.silentCalls === 1 ? "it" : "they"} used, so {total.silentCalls === 1 ? "its" : "their"} tokens and cost
          are not in these figures. {total.silentCalls === 1 ? "It was" : "They were"} not free.
        </Note>
      )}
      {removed.runs > 0 && (
        <Note tone="info">
          {formatPlural(removed.runs, "run")} of this period {removed.runs === 1 ? "was" : "were"} deleted since. The{" "}
          {formatMoney(removed.costNanoUsd)} {removed.runs === 1 ? "it" : "they"} cost is not in these figures.
        </Note>
      )}
    </>
  );
}

function Charts({ summary: { from, to, days } }: { summary: SpendingSummary }) {
  return (
    <div className="spending-charts">
      <DayChart
        title="Cost by day"
        days={{ from, to }}
        parts={[{ word: "cost", color: "var(--bar-model)" }]}
        bars={days.map(({ day, costNanoUsd }) => ({ day, values: [costNanoUsd] }))}
        format={(nanoUsd) => formatMoney(nanoUsd, 2)}
        nothing="No call of this period has a known cost."
      />
      <DayChart
        title="Time to first token by day"
        days={{ from, to }}
        parts={[
          { word: "median", color: "var(--bar-model)" },
          { word: "95 % within", color: "var(--bar-queued)" },
        ]}
        bars={days.flatMap(({ day, firstTokenMs }) =>
          firstTokenMs === null ? [] : [{ day, values: [firstTokenMs.median, firstTokenMs.p95 - firstTokenMs.median] }],
        )}
        format={formatDuration}
        nothing="No reply of this period was streamed, or none told when it began."
      />
    </div>
  );
}
