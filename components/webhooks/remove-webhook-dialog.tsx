"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { WebhookView } from "@/server/webhooks/schema";
import { useWebhooksChanged } from "./use-webhooks-changed";
import { WEBHOOKS_HREF } from "./webhook-links";

/** Says what goes before a webhook is removed. */
export function RemoveWebhookDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useWebhooksChanged();
  const remove = useMutation(
    trpc.webhooks.remove.mutationOptions({
      onSuccess: () => {
        router.push(WEBHOOKS_HREF);
        void changed();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${webhook.name}?`}
      action="Remove the webhook"
      onConfirm={() => remove.mutate({ webhookId: webhook.id })}
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
    >
      <p className="t2">
        Its address, its secret and the list of its calls go
        {webhook.waiting > 0 ? `, and the ${webhook.waiting} that wait are not made` : ""}. To stop it for a while, turn
        it off instead.
      </p>
    </ConfirmDialog>
  );
}
