import type { Metadata } from "next";
import {
  ofAnyOrder,
  readSpendingFilters,
  SPENDING_PER_PAGE,
  spendingHref,
} from "@/components/spending/spending-filters";
import { SpendingPage } from "@/components/spending/spending-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Spending" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SpendingRoute({ searchParams }: Props) {
  const given = await searchParams;
  const filters = readSpendingFilters((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(spendingHref(filters));
  const { calls, groups, summary } = trpc.spending;
  const list = [
    { ...filters, limit: SPENDING_PER_PAGE },
    { getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor },
  ] as const;
  if (filters.by === "call") prefetchInfinite(calls.infiniteQueryOptions(...list));
  else prefetchInfinite(groups.infiniteQueryOptions(...list));
  prefetch(summary.queryOptions(ofAnyOrder(filters)));
  prefetch(trpc.agents.choices.queryOptions());
  prefetch(trpc.providers.models.queryOptions());
  return (
    <HydrateClient>
      <SpendingPage />
    </HydrateClient>
  );
}
