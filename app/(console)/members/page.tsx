import type { Metadata } from "next";
import { MembersPage } from "@/components/members/members-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Members" };

export default async function MembersRoute() {
  await requireSignedIn("/members");
  prefetch(trpc.members.list.queryOptions());
  return (
    <HydrateClient>
      <MembersPage />
    </HydrateClient>
  );
}
