import type { Metadata } from "next";
import { HOME_LISTS } from "@/components/home/home-lists";
import { HomePage } from "@/components/home/home-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Home" };

export default async function HomeRoute() {
  await requireSignedIn();
  prefetch(trpc.teams.list.queryOptions());
  prefetch(trpc.examples.list.queryOptions());
  prefetch(trpc.runs.targets.queryOptions());
  prefetch(trpc.requests.list.queryOptions(HOME_LISTS.requests));
  prefetch(trpc.runs.list.queryOptions(HOME_LISTS.active));
  prefetch(trpc.runs.list.queryOptions(HOME_LISTS.finished));
  prefetch(trpc.runs.list.queryOptions(HOME_LISTS.failed));
  return (
    <HydrateClient>
      <HomePage />
    </HydrateClient>
  );
}
