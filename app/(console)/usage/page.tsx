import type { Metadata } from "next";
import { UsagePage } from "@/components/usage/usage-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Usage" };

export default async function UsageRoute() {
  await requireSignedIn("/usage");
  prefetch(trpc.usage.get.queryOptions());
  prefetch(trpc.usage.errors.queryOptions());
  return (
    <HydrateClient>
      <UsagePage />
    </HydrateClient>
  );
}
