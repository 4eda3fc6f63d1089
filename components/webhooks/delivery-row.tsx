"use client";

import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Delivery } from "@/server/webhooks/schema";
import { DeliveryStatus } from "./delivery-status";
import { EVENT_WORDS } from "./event-words";
import { useWebhooksChanged } from "./use-webhooks-changed";
import { useWhyNotOwn } from "./use-why-not-own";

/** One call: of what, of which run, what became of it; opened, what it tells. */
export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const [opened, setOpened] = useState(false);
  const { type, runTitle, occurredAt } = delivery;
  return (
    <li>
      <details className="delivery" onToggle={({ currentTarget: { open } }) => setOpened(open)}>
        <summary>
          <IconChevronRight size={14} className="delivery-twist t3" aria-hidden />
          <span className="delivery-what">{EVENT_WORDS[type]}</span>
          <span className="delivery-run ell t2">{runTitle}</span>
          <DeliveryStatus delivery={delivery} />
          <RelativeTime at={occurredAt} className="t3" />
        </summary>
        {opened && <DeliveryBody delivery={delivery} />}
      </details>
    </li>
  );
}

function DeliveryBody({ delivery }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const whyNot = useWhyNotOwn();
  const changed = useWebhooksChanged();
  const payload = useQuery(trpc.webhooks.payload.queryOptions({ deliveryId: delivery.id }));
  const again = useMutation(trpc.webhooks.sendAgain.mutationOptions({ onSuccess: () => changed() }));
  const { says, status, attempts, triedAt, nextTryAt, tookMs, runId, runTitle, type } = delivery;
  const shown = payload.data && JSON.stringify(JSON.parse(payload.data.body), null, 2);
  return (
    <div className="col delivery-body">
      {says && (
        <Note tone={status === "delivered" ? "info" : status === "waiting" ? "warn" : "bad"}>
          {says}
          {tookMs !== null && tookMs > 0 && ` After ${tookMs} ms.`}
          {attempts > 1 && ` ${formatPlural(attempts, "attempt")}.`}
          {status === "waiting" && nextTryAt && (
            <>
              {" "}
              Tried again <RelativeTime at={nextTryAt} />.
            </>
          )}
        </Note>
      )}
      <p className="t2">
        <span className="mono fs12">{type}</span> in{" "}
        <Link href={`/runs/${runId}`} prefetch={false}>
          {runTitle}
        </Link>
        {triedAt && (
          <>
            , last called <RelativeTime at={triedAt} />
          </>
        )}
        . Its id is <span className="mono fs12">{delivery.id}</span> at each attempt.
      </p>
      <section>
        <header className="delivery-part">
          <h3 className="section-label">What it tells, as it would be sent now</h3>
          {shown && <CopyButton text={shown} what="what it tells" />}
        </header>
        {payload.isPending && <p className="t3">Loading…</p>}
        {payload.error && <Note tone="bad">{errorWords(payload.error).sentence}</Note>}
        {shown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <pre className="code delivery-text" tabIndex={0}>
            {shown}
          </pre>
        )}
      </section>
      {again.error && (
        <Note tone="bad" role="alert">
          {errorWords(again.error).sentence}
        </Note>
      )}
      {whyNot === null ? (
        <div>
          <Button loading={again.isPending} onClick={() => again.mutate({ deliveryId: delivery.id })}>
            {status === "waiting" ? "Send now" : "Send again"}
          </Button>
        </div>
      ) : (
        <p className="t3 fs12">{whyNot}</p>
      )}
    </div>
  );
}
