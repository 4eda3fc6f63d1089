import { WebhooksSkeleton } from "@/components/webhooks/webhooks-skeleton";

export default function WebhookLoading() {
  return <WebhooksSkeleton />;
}
