"use client";

import "@/components/editor/editor.css";
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { FormModal } from "@/components/editor/form-modal";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { SecretOnce } from "./secret-once";
import { useWebhooksChanged } from "./use-webhooks-changed";
import { WebhookFields } from "./webhook-fields";
import { webhookHref } from "./webhook-links";
import { valuesOf } from "./webhook-values";

/** Adds an address, then shows what its calls are signed with, this once. */
export function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useWebhooksChanged();
  const form = useForm({ initialValues: valuesOf(null, window.location.origin) });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: () => void changed(),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const { data: made, error } = create;
  const refusal = error && Object.keys(fieldErrorsOf(error)).length === 0 ? error : null;
  const done = () => {
    onClose();
    if (made) router.push(webhookHref(made.webhook.id));
  };
  return (
    <FormModal isDirty={!made && form.isDirty()} opened onClose={done} title="Add a webhook" size={580}>
      {made ? (
        <SecretOnce secret={made.secret} onDone={done} />
      ) : (
        <form
          className="col form"
          noValidate
          onSubmit={form.onSubmit((values) => {
            if (!create.isPending) create.mutate(values);
          })}
        >
          {refusal && (
            <Note tone="bad" role="alert">
              {errorWords(refusal).sentence}
            </Note>
          )}
          <WebhookFields form={form} storedOrigin={null} />
          <div className="dialog-actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={create.isPending}>
              Add webhook
            </Button>
          </div>
        </form>
      )}
    </FormModal>
  );
}
