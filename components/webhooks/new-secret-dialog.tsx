"use client";

import { Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { WebhookView } from "@/server/webhooks/schema";
import { SecretOnce } from "./secret-once";

/** Asks, makes what calls are signed with anew, and shows it this once. */
export function NewSecretDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const trpc = useTRPC();
  const renew = useMutation(trpc.webhooks.renewSecret.mutationOptions());
  if (renew.data) {
    return (
      <Modal opened onClose={onClose} title="The new secret" size={580} closeButtonProps={{ "aria-label": "Close" }}>
        <SecretOnce secret={renew.data.secret} onDone={onClose} />
      </Modal>
    );
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Make a new secret for ${webhook.name}?`}
      action="Make a new secret"
      onConfirm={() => renew.mutate({ webhookId: webhook.id })}
      isBusy={renew.isPending}
      refusal={renew.error ? errorWords(renew.error).sentence : null}
    >
      <p className="t2">
        Calls are signed with it from then on, also those that wait. A receiver that checks refuses them until it knows
        the new one; they are tried again meanwhile.
      </p>
    </ConfirmDialog>
  );
}
