"use client";

import { Button, SegmentedControl } from "@mantine/core";
import { IconFilterOff, IconWebhook } from "@tabler/icons-react";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useDeferredValue } from "react";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import type { WebhookView } from "@/server/webhooks/schema";
import { DELIVERIES_PER_PAGE, DELIVERY_FILTERS, readDeliveryFilter } from "./delivery-filters";
import { DeliveryRow } from "./delivery-row";

/** The calls of a webhook, newest first. */
export function DeliveryList({ webhook }: { webhook: WebhookView }) {
  const trpc = useTRPC();
  const pathname = usePathname();
  const status = readDeliveryFilter(useSearchParams().get("calls"));
  // Only the list changes: no round trip to the server for the page around it.
  const show = (next: string) =>
    window.history.replaceState(null, "", next === "all" ? pathname : `${pathname}?calls=${next}`);
  const query = useSuspenseInfiniteQuery(
    trpc.webhooks.deliveries.infiniteQueryOptions(
      // The list stays until the next one is there.
      { webhookId: webhook.id, status: useDeferredValue(status), limit: DELIVERIES_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const deliveries = query.data.pages.flatMap(({ items }) => items);
  return (
    <>
      <div className="filterbar">
        <SegmentedControl
          aria-label="Which calls to show"
          data={[...DELIVERY_FILTERS]}
          value={status}
          onChange={show}
        />
      </div>
      {deliveries.length === 0 &&
        (status === "all" ? (
          <EmptyState icon={IconWebhook} title="No calls yet">
            {webhook.enabled
              ? "The first is made when one of its events happens."
              : "It is turned off: nothing that happens meanwhile is told later."}
          </EmptyState>
        ) : (
          <EmptyState
            icon={IconFilterOff}
            title="No such calls"
            action={<Button onClick={() => show("all")}>Show all calls</Button>}
          />
        ))}
      {deliveries.length > 0 && (
        <ul className="deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </>
  );
}
