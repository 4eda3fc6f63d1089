import { StatusBadge } from "@/components/ui/status";
import type { WebhookView } from "@/server/webhooks/schema";

/** How its calls go, in a word. */
export function WebhookState({
  webhook,
}: {
  webhook: Pick<WebhookView, "enabled" | "failures" | "deliveredAt" | "problem">;
}) {
  if (!webhook.enabled) return <StatusBadge status="paused" word="Turned off" />;
  if (webhook.failures > 0) return <StatusBadge status="failed" word="Not getting through" />;
  if (webhook.deliveredAt === null) return <StatusBadge status="queued" word="Nothing sent yet" />;
  return <StatusBadge status="completed" word="Working" />;
}
