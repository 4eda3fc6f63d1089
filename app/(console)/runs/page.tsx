import type { Metadata } from "next";
import { RUNS_PER_PAGE, readRunFilters, runFiltersToQuery } from "@/components/runs/run-list-filters";
import { RunsPage } from "@/components/runs/runs-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Runs" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function RunsRoute({ searchParams }: Props) {
  const given = await searchParams;
  const filters = readRunFilters((name) => (typeof given[name] === "string" ? given[name] : null));
  await requireSignedIn(`/runs${runFiltersToQuery(filters)}`);
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
