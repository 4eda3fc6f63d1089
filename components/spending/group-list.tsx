"use client";

import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatDuration, formatTokens } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { LoadMore } from "@/components/ui/load-more";
import { Money } from "@/components/ui/money";
import { type Dimension, NONE, type SpendingFilters, type SpendingGroup } from "@/server/spending/schema";
import { NoCalls } from "./no-calls";
import { SortHead } from "./sort-head";
import { callsBehind, SPENDING_PER_PAGE, spendingHref } from "./spending-filters";
import { DIMENSION_WORDS, keyWord, modelParts, shareWord } from "./spending-words";
import { Untold } from "./untold";

type Props = {
  filters: SpendingFilters;
  isBusy: boolean;
  onFilter: (change: Partial<SpendingFilters>) => void;
  onClear: () => void;
};

/** Calls by what they belong to; a row leads to the calls behind it. */
export function GroupList({ filters, isBusy, onFilter, onClear }: Props) {
  const trpc = useTRPC();
  const dimension: Dimension = filters.by === "" || filters.by === "call" ? "agent" : filters.by;
  const query = useSuspenseInfiniteQuery(
    trpc.spending.groups.infiniteQueryOptions(
      { ...filters, limit: SPENDING_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const rows = query.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0) return <NoCalls filters={filters} onClear={onClear} />;
  const { one, many } = DIMENSION_WORDS[dimension];
  const total = query.data.pages.at(-1)?.total ?? rows.length;
  const sorted = filters.sort || (dimension === "day" ? "" : "cost");
  const head = (sort: SpendingFilters["sort"], word: string, about?: string) => (
    <SortHead word={word} about={about} isSorted={sort === sorted} onSort={() => onFilter({ sort })} />
  );
  return (
    <div className="busy-line" aria-busy={isBusy}>
      <table className="table cards edge spending-table">
        <caption className="sr">
          Calls of models by {one.toLowerCase()}: {formatCount(total)} {total === 1 ? one.toLowerCase() : many}
        </caption>
        <thead>
          <tr>
            <th>
              {one}
              <span className="count">{formatCount(total)}</span>
            </th>
            {head("cost", "Cost")}
            <th className="num">Share</th>
            {head("calls", "Calls")}
            {head("failed", "Failed")}
            {head("input", "Tokens in")}
            {head("cached", "Cached", "Of the tokens in, those read from the provider's cache")}
            {head("output", "Tokens out")}
            {head("reasoning", "Reasoning", "Of the tokens out, those the model thought with; where it is told")}
            {head("firstToken", "First token", "Median time to the first token, of replies that were streamed")}
            <th className="num" title="95 of 100 first tokens came within this time">
              95 % within
            </th>
            {head("duration", "Whole call", "Median time of answered calls")}
          </tr>
        </thead>
        <tbody>
          {rows.map((group) => (
            <GroupRow key={group.key} group={group} dimension={dimension} filters={filters} />
          ))}
        </tbody>
      </table>
      <LoadMore query={query} />
    </div>
  );
}

type RowProps = { group: SpendingGroup; dimension: Dimension; filters: SpendingFilters };

function GroupRow({ group, dimension, filters }: RowProps) {
  const href = spendingHref(callsBehind(filters, dimension, group.key));
  const { firstTokenMs, durationMs, answered, silentCalls, share } = group;
  const isSilent = answered === silentCalls;
  const tokens = (count: number | null) =>
    isSilent || count === null ? <Untold /> : <span title={formatCount(count)}>{formatTokens(count)}</span>;
  return (
    <LinkRow href={href}>
      <td data-m="full" className="spending-name">
        <Link href={href} className="b ell block" title={keyWord(dimension, group.key, group.name)} prefetch={false}>
          <Name group={group} dimension={dimension} />
        </Link>
        <Behind dimension={dimension} id={group.key} />
      </td>
      <td className="num" data-l="Cost">
        {isSilent ? (
          <span className="t3">{answered === 0 ? "—" : "no usage data"}</span>
        ) : (
          <Money nanoUsd={group.costNanoUsd} unpricedCalls={group.unpricedCalls} />
        )}
      </td>
      <td className="num t2" data-l="Share">
        {share === null || isSilent ? <Untold /> : shareWord(share)}
      </td>
      <td className="num" data-l="Calls">
        {formatCount(group.calls)}
      </td>
      <td className="num" data-l="Failed">
        {group.failed === 0 ? <span className="t3">0</span> : formatCount(group.failed)}
      </td>
      <td className="num t2" data-l="In">
        {tokens(group.inputTokens)}
      </td>
      <td className="num t2" data-m="hide">
        {tokens(group.cachedTokens)}
      </td>
      <td className="num t2" data-l="Out">
        {tokens(group.outputTokens)}
      </td>
      <td className="num t2" data-m="hide">
        {tokens(group.reasoningTokens)}
      </td>
      <td className="num" data-l="First token">
        {firstTokenMs === null ? <Untold /> : formatDuration(firstTokenMs.median)}
      </td>
      <td className="num t2" data-l="95 % within">
        {firstTokenMs === null ? <Untold /> : formatDuration(firstTokenMs.p95)}
      </td>
      <td className="num t2" data-m="hide">
        {durationMs === null ? <Untold /> : formatDuration(durationMs)}
      </td>
    </LinkRow>
  );
}

function Name({ group: { key, name }, dimension }: Pick<RowProps, "group" | "dimension">) {
  if (dimension === "model") {
    const { provider, model } = modelParts(key);
    return (
      <>
        <span className="t3">{provider === NONE ? "provider not recorded: " : `${provider}/`}</span>
        {model}
      </>
    );
  }
  return keyWord(dimension, key, name);
}

/** The thing itself, where it has a page of its own; and which tools look alike by their names and are not. */
function Behind({ dimension, id }: { dimension: Dimension; id: string }) {
  if (id === NONE) return null;
  if (dimension === "tools") return <span className="mono t3 block">{id.slice(0, 16)}…</span>;
  if (dimension !== "run" && dimension !== "conversation") return null;
  return (
    <Link href={`/${dimension}s/${id}`} className="linkbtn fs12" prefetch={false}>
      Open the {dimension}
    </Link>
  );
}
