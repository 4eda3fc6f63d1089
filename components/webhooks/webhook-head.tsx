"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import { RelativeTime } from "@/components/ui/relative-time";
import type { WebhookView } from "@/server/webhooks/schema";
import { EditWebhookDialog } from "./edit-webhook-dialog";
import { NewSecretDialog } from "./new-secret-dialog";
import { RemoveWebhookDialog } from "./remove-webhook-dialog";
import { useWebhooksChanged } from "./use-webhooks-changed";
import { useWhyNotOwn } from "./use-why-not-own";
import { WebhookState } from "./webhook-state";

export function WebhookHead({ webhook }: { webhook: WebhookView }) {
  const { id: webhookId, enabled } = webhook;
  const whyNot = useWhyNotOwn();
  const [editing, edit] = useDisclosure(false);
  const [renewing, renew] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const test = useMutation(trpc.webhooks.test.mutationOptions());
  const turn = useMutation(trpc.webhooks.update.mutationOptions({ onSuccess: () => changed() }));
  const { name, events, linkOrigin, withContent, privateHostAllowed: allowPrivateHost } = webhook;
  const turnTo = (next: boolean) =>
    turn.mutate({ webhookId, name, events, linkOrigin, withContent, allowPrivateHost, address: null, enabled: next });
  const failure = turn.error ?? test.error;
  return (
    <>
      <PageHead
        title={name}
        meta={
          <>
            <WebhookState webhook={webhook} />
            {webhook.deliveredAt && (
              <span>
                last taken <RelativeTime at={webhook.deliveredAt} />
              </span>
            )}
          </>
        }
        actions={
          whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            <>
              <Button variant="filled" loading={test.isPending} onClick={() => test.mutate({ webhookId })}>
                Send a test
              </Button>
              <Button onClick={edit.open}>Edit…</Button>
              <Button loading={turn.isPending} onClick={() => turnTo(!enabled)}>
                {enabled ? "Turn off" : "Turn on"}
              </Button>
              <Button onClick={renew.open}>New secret…</Button>
              <Button data-danger onClick={remove.open}>
                Remove…
              </Button>
            </>
          )
        }
      />
      <div className="webhook-notes" aria-live="polite">
        {failure && (
          <Note tone="bad" role="alert">
            {errorWords(failure).sentence}
          </Note>
        )}
        {test.data && (
          <Note tone={test.data.ok ? "info" : "bad"}>
            {test.data.says} After {test.data.tookMs} ms.
          </Note>
        )}
        {webhook.problem && (
          <Note tone={enabled ? "warn" : "bad"}>
            {enabled ? "Not getting through" : "Turned off"}
            {webhook.failingSince && (
              <>
                {" "}
                since <RelativeTime at={webhook.failingSince} />
              </>
            )}
            : {webhook.problem}{" "}
            {enabled && webhook.nextTryAt && (
              <>
                Tried again <RelativeTime at={webhook.nextTryAt} />.
              </>
            )}
          </Note>
        )}
      </div>
      {editing && <EditWebhookDialog webhook={webhook} onClose={edit.close} />}
      {renewing && <NewSecretDialog webhook={webhook} onClose={renew.close} />}
      {removing && <RemoveWebhookDialog webhook={webhook} onClose={remove.close} />}
    </>
  );
}
