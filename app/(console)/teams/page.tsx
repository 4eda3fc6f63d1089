import type { Metadata } from "next";
import { TeamsPage } from "@/components/teams/teams-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetchInfinite, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Teams" };

export default async function TeamsRoute() {
  await requireSignedIn("/teams");
  prefetchInfinite(
    trpc.teams.all.infiniteQueryOptions({ search: "" }, { getNextPageParam: (page) => page.nextCursor }),
  );
  return (
    <HydrateClient>
      <TeamsPage />
    </HydrateClient>
  );
}
