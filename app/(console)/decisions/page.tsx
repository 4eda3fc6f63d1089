import type { Metadata } from "next";
import { DECISIONS_PER_PAGE, decisionsHref, readDecisionFilters } from "@/components/decisions/decision-filters";
import { DecisionsPage } from "@/components/decisions/decisions-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Decisions" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function DecisionsRoute({ searchParams }: Props) {
  const given = await searchParams;
  const filters = readDecisionFilters((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(decisionsHref(filters));
  prefetch(trpc.finding.get.queryOptions());
  prefetchInfinite(
    trpc.decisions.list.infiniteQueryOptions(
      { ...filters, limit: DECISIONS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  prefetch(trpc.decisions.outcomes.queryOptions(filters));
  prefetch(trpc.agents.choices.queryOptions());
  prefetch(trpc.agents.tools.queryOptions());
  // Otherwise they are read once somebody looks for one.
  if (filters.conversation) prefetch(trpc.conversations.choices.queryOptions({ chosen: filters.conversation }));
  prefetch(trpc.teams.names.queryOptions());
  return (
    <HydrateClient>
      <DecisionsPage />
    </HydrateClient>
  );
}
