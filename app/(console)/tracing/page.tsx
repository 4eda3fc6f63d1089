import type { Metadata } from "next";
import { TracingPage } from "@/components/tracing/tracing-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Tracing and privacy" };

export default async function TracingRoute() {
  await requireSignedIn("/tracing");
  prefetch(trpc.tracing.get.queryOptions());
  prefetch(trpc.workspace.privacy.queryOptions());
  return (
    <HydrateClient>
      <TracingPage />
    </HydrateClient>
  );
}
