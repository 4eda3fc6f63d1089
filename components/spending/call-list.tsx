"use client";

import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { textKey } from "@/components/runs/run-live-text";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatDuration, formatPlural, formatTokens } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { LoadMore } from "@/components/ui/load-more";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import { KindIcon, StatusBadge } from "@/components/ui/status";
import type { ListedCall, SpendingFilters } from "@/server/spending/schema";
import { NoCalls } from "./no-calls";
import { SPENDING_PER_PAGE } from "./spending-filters";
import { endWord } from "./spending-words";
import { Untold } from "./untold";

type Props = { filters: SpendingFilters; isBusy: boolean; onClear: () => void };

/** Each call by itself, newest first; a row opens its step in its run (LLM-OBS-01). */
export function CallList({ filters, isBusy, onClear }: Props) {
  const trpc = useTRPC();
  const query = useSuspenseInfiniteQuery(
    trpc.spending.calls.infiniteQueryOptions(
      { ...filters, limit: SPENDING_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const rows = query.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0) return <NoCalls filters={filters} onClear={onClear} />;
  return (
    <div className="busy-line" aria-busy={isBusy}>
      <table className="table cards edge spending-table">
        <caption className="sr">Calls of models, newest first</caption>
        <thead>
          <tr>
            <th>Call</th>
            <th>Ended</th>
            <th>When</th>
            <th>Model</th>
            <th className="num">Tokens in</th>
            <th className="num">Cached</th>
            <th className="num">Tokens out</th>
            <th className="num">Reasoning</th>
            <th className="num">Cost</th>
            <th className="num">First token</th>
            <th className="num">Whole call</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((call) => (
            <CallRow key={textKey(call.agentRunId, call.position)} call={call} />
          ))}
        </tbody>
      </table>
      <LoadMore query={query} />
    </div>
  );
}

const KIND_OF = { model: "model", summary: "summary", condense: "tool" } as const;
const STATUS_OF = { answered: "completed", failed: "failed", stopped: "aborted" } as const;
/** Answered, and the reply is not whole. */
const CUT_SHORT = ["length", "content_filter"];

function CallRow({ call }: { call: ListedCall }) {
  const { provider, model, status, attempt, isUsageKnown } = call;
  const href = `/runs/${call.runId}?at=${encodeURIComponent(textKey(call.agentRunId, call.position))}`;
  const isAnswered = status === "answered";
  const isCutShort = CUT_SHORT.includes(call.finishReason ?? "");
  const tokens = (count: number | null) =>
    count === null || !isAnswered || !isUsageKnown ? (
      <Untold />
    ) : (
      <span title={formatCount(count)}>{formatTokens(count)}</span>
    );
  return (
    <LinkRow href={href}>
      <td data-m="full" className="spending-name">
        <span className="row">
          <KindIcon kind={KIND_OF[call.kind]} />
          <Link href={href} className="b ell" title={call.agentName} prefetch={false}>
            {call.agentName}
          </Link>
        </span>
        <span className="t3 fs12 ell block" title={call.runTitle}>
          {call.kind === "condense" ? "Shortening a tool's result in " : ""}
          {call.runTitle}
        </span>
      </td>
      <td data-m="full">
        <StatusBadge status={STATUS_OF[isCutShort ? "stopped" : status]} word={endWord(call)} />
        {attempt > 1 && <span className="t3 fs12 block">after {formatPlural(attempt - 1, "failed call")}</span>}
      </td>
      <td className="t2" data-l="When">
        <RelativeTime at={call.at} />
      </td>
      <td className="spending-model" data-l="Model">
        <span className="mono ell block" title={provider === null ? model : `${provider}/${model}`}>
          {model}
        </span>
      </td>
      <td className="num t2" data-l="In">
        {isAnswered && !isUsageKnown ? <span className="t3">no usage data</span> : tokens(call.inputTokens)}
      </td>
      <td className="num t2" data-m="hide">
        {tokens(call.cachedTokens)}
      </td>
      <td className="num t2" data-l="Out">
        {tokens(call.outputTokens)}
      </td>
      <td className="num t2" data-m="hide">
        {tokens(call.reasoningTokens)}
      </td>
      <td className="num" data-l="Cost">
        {isAnswered && isUsageKnown ? <Money nanoUsd={call.costNanoUsd} /> : <Untold />}
      </td>
      <td className="num" data-l="First token">
        {call.firstTokenMs === null ? <Untold /> : formatDuration(call.firstTokenMs)}
      </td>
      <td className="num t2" data-l="Whole call">
        {call.durationMs === null ? <Untold /> : formatDuration(call.durationMs)}
      </td>
    </LinkRow>
  );
}
