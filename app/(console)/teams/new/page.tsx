import type { Metadata } from "next";
import { TeamPage } from "@/components/teams/team-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "New team" };

export default async function NewTeamRoute() {
  await requireSignedIn("/teams/new");
  prefetch(trpc.agents.choices.queryOptions());
  return (
    <HydrateClient>
      <TeamPage />
    </HydrateClient>
  );
}
