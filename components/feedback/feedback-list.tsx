"use client";

import { Button } from "@mantine/core";
import { IconFilterOff, IconThumbUp } from "@tabler/icons-react";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatPlural } from "@/components/ui/format";
import { LinkButton } from "@/components/ui/link-button";
import { LoadMore } from "@/components/ui/load-more";
import type { FeedbackFilters, FeedbackSummary } from "@/server/feedback/schema";
import { FEEDBACK_PER_PAGE, feedbackHref } from "./feedback-filters";
import { FeedbackRow } from "./feedback-row";

type Props = { filters: FeedbackFilters; isBusy: boolean; onClear: () => void };
type Page = { items: FeedbackSummary[]; nextCursor: string | null };

// Stable, so that the rows stay the same array while nothing changes.
const toRows = (data: { pages: Page[] }) => data.pages.flatMap((page) => page.items);

/** The list under the filters. It refreshes by hints and stands still while somebody points at it. */
export function FeedbackList({ filters, isBusy, onClear }: Props) {
  const trpc = useTRPC();
  const list = feedbackHref(filters);
  const query = useSuspenseInfiniteQuery({
    ...trpc.feedback.list.infiniteQueryOptions(
      { ...filters, limit: FEEDBACK_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
    select: toRows,
  });
  const { rows, withheld, release, holdProps } = useHeldRows(list, query.data);
  if (rows.length === 0) return <Nothing filters={filters} onClear={onClear} />;
  return (
    <div className="busy-line" aria-busy={isBusy} {...holdProps}>
      {withheld > 0 && (
        <button type="button" className="withheld" onClick={release}>
          Show {formatPlural(withheld, "new entry", "new entries")}
        </button>
      )}
      <ul className="feedback-list">
        {rows.map((entry) => (
          <FeedbackRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <LoadMore query={query} />
    </div>
  );
}

function Nothing({ filters, onClear }: Pick<Props, "filters" | "onClear">) {
  if (feedbackHref(filters) !== feedbackHref({})) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No feedback matches"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        {filters.search
          ? "The search looks at what was said, and at titles of runs."
          : "Take one of the filters away to see more."}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconThumbUp}
      title="No feedback yet"
      action={<LinkButton href="/runs?status=finished">Show finished runs</LinkButton>}
    >
      Thumbs, corrections and preferences are given beside an answer, in a run or a conversation, and collected here.
    </EmptyState>
  );
}
