import type { Metadata } from "next";
import { WEBHOOKS_HREF } from "@/components/webhooks/webhook-links";
import { WebhooksPage } from "@/components/webhooks/webhooks-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksRoute() {
  await requireSignedIn(WEBHOOKS_HREF);
  prefetch(trpc.webhooks.list.queryOptions());
  return (
    <HydrateClient>
      <WebhooksPage />
    </HydrateClient>
  );
}
