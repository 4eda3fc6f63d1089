import type { Metadata } from "next";
import { TeamPage } from "@/components/teams/team-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Team" };

type Props = {
  params: Promise<{ teamId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function TeamRoute({ params, searchParams }: Props) {
  const { teamId } = await params;
  const { publish } = await searchParams;
  await requireSignedIn(`/teams/${encodeURIComponent(teamId)}`);
  prefetch(trpc.teams.get.queryOptions({ teamId }));
  prefetch(trpc.agents.choices.queryOptions());
  return (
    <HydrateClient>
      <TeamPage teamId={teamId} publish={publish === "1"} />
    </HydrateClient>
  );
}
