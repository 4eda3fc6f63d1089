import type { Metadata } from "next";
import { SharedRun } from "@/components/runs/shared-run";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Shared run", referrer: "no-referrer" };

export default async function SharedRoute({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  await requireSignedIn(`/links/${encodeURIComponent(token)}`);
  prefetch(trpc.runShares.open.queryOptions({ token }));
  return (
    <HydrateClient>
      <SharedRun token={token} />
    </HydrateClient>
  );
}
