"use client";

import "./webhooks.css";
import { IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import { LoadBoundary } from "@/components/ui/load-boundary";
import type { WebhookView } from "@/server/webhooks/schema";
import { DeliveryList } from "./delivery-list";
import { WebhookFacts } from "./webhook-facts";
import { WebhookHead } from "./webhook-head";
import { WEBHOOKS_HREF } from "./webhook-links";
import { WebhooksSkeleton } from "./webhooks-skeleton";

/** One webhook: what it calls and when, how that goes, and its calls. */
export function WebhookPage({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.webhooks.list.queryOptions());
  const hydrated = useHydrated();
  const webhook = query.data?.find(({ id }) => id === webhookId);
  if (hydrated && webhook) return <Webhook webhook={webhook} />;
  if (hydrated && query.data) {
    return (
      <EmptyState
        icon={IconWebhook}
        title="There is no such webhook"
        action={<LinkButton href={WEBHOOKS_HREF}>All webhooks</LinkButton>}
      >
        It may have been removed, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (hydrated && query.error) {
    return (
      <ErrorState
        title="The webhook could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence}
      </ErrorState>
    );
  }
  return <WebhooksSkeleton />;
}

function Webhook({ webhook }: { webhook: WebhookView }) {
  usePageCrumbs([{ word: webhook.name }]);
  return (
    <div className="page webhook">
      <WebhookHead webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      <section aria-labelledby="webhook-calls">
        <h2 className="webhook-heading" id="webhook-calls">
          Calls
        </h2>
        <LoadBoundary pending={<WebhooksSkeleton />} failed="The calls could not be loaded">
          <DeliveryList webhook={webhook} />
        </LoadBoundary>
      </section>
    </div>
  );
}
