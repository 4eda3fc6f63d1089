"use client";

import "./webhooks.css";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { AddWebhookDialog } from "./add-webhook-dialog";
import { useWhyNotOwn } from "./use-why-not-own";
import { WebhookTable } from "./webhook-table";
import { WebhooksHead } from "./webhooks-head";
import { WebhooksSkeleton } from "./webhooks-skeleton";

/** Addresses that are called when something happens (AGT-EVT-08). */
export function WebhooksPage() {
  const [adding, dialog] = useDisclosure(false);
  const whyNot = useWhyNotOwn();
  return (
    <div className="page">
      <WebhooksHead
        actions={whyNot ? <span className="t3 fs12">{whyNot}</span> : <AddButton onClick={dialog.open} filled />}
      />
      <LoadBoundary pending={<WebhooksSkeleton />} failed="The webhooks could not be loaded">
        <Webhooks onAdd={dialog.open} />
      </LoadBoundary>
      {adding && <AddWebhookDialog onClose={dialog.close} />}
    </div>
  );
}

function Webhooks({ onAdd }: { onAdd: () => void }) {
  const trpc = useTRPC();
  const { data: webhooks } = useSuspenseQuery(trpc.webhooks.list.queryOptions());
  const whyNot = useWhyNotOwn();
  if (webhooks.length > 0) return <WebhookTable webhooks={webhooks} />;
  return (
    <EmptyState icon={IconWebhook} title="No webhooks yet" action={whyNot ? undefined : <AddButton onClick={onAdd} />}>
      A webhook calls an address of yours when a run fails, waits for a person, ends, or whatever else you choose: a
      chat channel, an automation, a program of your own. Runs never wait for it.
    </EmptyState>
  );
}

function AddButton({ onClick, filled }: { onClick: () => void; filled?: boolean }) {
  return (
    <Button variant={filled ? "filled" : "default"} leftSection={<IconPlus size={15} aria-hidden />} onClick={onClick}>
      Add webhook
    </Button>
  );
}
