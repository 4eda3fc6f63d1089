import type { Metadata } from "next";
import { SystemPage } from "@/components/system/system-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "System" };

export default async function SystemRoute() {
  await requireSignedIn("/system");
  prefetch(trpc.system.access.queryOptions());
  return (
    <HydrateClient>
      <SystemPage />
    </HydrateClient>
  );
}
