"use client";

import "@/components/editor/editor.css";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { WebhookView } from "@/server/webhooks/schema";
import { useWebhooksChanged } from "./use-webhooks-changed";
import { WebhookFields } from "./webhook-fields";
import { valuesOf } from "./webhook-values";

/** Changes what is called and when. Mounted when opened, so that it begins with what is stored. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const form = useForm({ initialValues: valuesOf(webhook, window.location.origin) });
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const refusal = update.error && Object.keys(fieldErrorsOf(update.error)).length === 0 ? update.error : null;
  return (
    <FormModal isDirty={form.isDirty()} opened onClose={onClose} title={`Edit ${webhook.name}`} size={580}>
      <form
        className="col form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          const address = values.address.trim() === "" ? null : values.address;
          if (!update.isPending) update.mutate({ ...values, address, webhookId: webhook.id });
        })}
      >
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <WebhookFields form={form} storedOrigin={webhook.origin} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={update.isPending}>
            Save changes
          </Button>
        </div>
      </form>
    </FormModal>
  );
}
