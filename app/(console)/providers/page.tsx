import type { Metadata } from "next";
import { ProvidersPage } from "@/components/providers/providers-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Models" };

export default async function ProvidersRoute() {
  await requireSignedIn("/providers");
  prefetch(trpc.finding.get.queryOptions());
  prefetch(trpc.providers.list.queryOptions());
  prefetch(trpc.providers.models.queryOptions());
  return (
    <HydrateClient>
      <ProvidersPage />
    </HydrateClient>
  );
}
