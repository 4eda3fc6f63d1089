import type { Metadata } from "next";
import { RUNS_PER_PAGE, readRunFilters, runFiltersToQuery } from "@/components/runs/run-list-filters";
import { RunsPage } from "@/components/runs/runs-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Runs" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function RunsRoute({ searchParams }: Props) {
  const given = await searchParams;
  const params = Object.entries(given).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]));
  const filters = readRunFilters(new URLSearchParams(params));
  await requireSignedIn(`/runs${runFiltersToQuery(filters)}`);
  prefetch(trpc.finding.get.queryOptions());
  prefetch(trpc.runViews.list.queryOptions());
  // Otherwise they are read once somebody looks for them.
  if (filters.targets.length + filters.startedBy.length > 0) prefetch(trpc.runs.choices.queryOptions());
  if (filters.conversation) prefetch(trpc.conversations.choices.queryOptions({ chosen: filters.conversation }));
  prefetchInfinite(
    trpc.runs.list.infiniteQueryOptions(
      { ...filters, limit: RUNS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  return (
    <HydrateClient>
      <RunsPage />
    </HydrateClient>
  );
}
