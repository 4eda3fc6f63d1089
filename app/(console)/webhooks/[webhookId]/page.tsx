import type { Metadata } from "next";
import { webhookHref } from "@/components/webhooks/webhook-links";
import { WebhookPage } from "@/components/webhooks/webhook-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Webhook" };

type Props = { params: Promise<{ webhookId: string }> };

export default async function WebhookRoute({ params }: Props) {
  const { webhookId } = await params;
  await requireSignedIn(webhookHref(encodeURIComponent(webhookId)));
  prefetch(trpc.webhooks.list.queryOptions());
  return (
    <HydrateClient>
      <WebhookPage key={webhookId} webhookId={webhookId} />
    </HydrateClient>
  );
}
