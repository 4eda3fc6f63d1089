import { WebhooksHead } from "@/components/webhooks/webhooks-head";
import { WebhooksSkeleton } from "@/components/webhooks/webhooks-skeleton";

export default function WebhooksLoading() {
  return (
    <div className="page">
      <WebhooksHead />
      <WebhooksSkeleton />
    </div>
  );
}
