import type { Metadata } from "next";
import { FEEDBACK_PER_PAGE, feedbackHref, readFeedbackFilters } from "@/components/feedback/feedback-filters";
import { FeedbackPage } from "@/components/feedback/feedback-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Feedback" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function FeedbackRoute({ searchParams }: Props) {
  const given = await searchParams;
  const filters = readFeedbackFilters((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(feedbackHref(filters));
  prefetchInfinite(
    trpc.feedback.list.infiniteQueryOptions(
      { ...filters, limit: FEEDBACK_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  prefetch(trpc.feedback.counts.queryOptions({ ...filters, type: "" }));
  prefetch(trpc.agents.choices.queryOptions());
  prefetch(trpc.teams.names.queryOptions());
  return (
    <HydrateClient>
      <FeedbackPage />
    </HydrateClient>
  );
}
