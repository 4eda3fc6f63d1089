import Link from "next/link";
import { LinkRow } from "@/components/ui/link-row";
import { RelativeTime } from "@/components/ui/relative-time";
import type { WebhookView } from "@/server/webhooks/schema";
import { EVENT_WORDS } from "./event-words";
import { webhookHref } from "./webhook-links";
import { WebhookState } from "./webhook-state";

export function WebhookTable({ webhooks }: { webhooks: readonly WebhookView[] }) {
  return (
    <table className="table cards edge webhooks">
      <thead>
        <tr>
          <th>Webhook</th>
          <th>State</th>
          <th>Address</th>
          <th>Events</th>
          <th className="num">Waiting</th>
          <th className="num">Last taken</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
    </table>
  );
}

function WebhookRow({ webhook }: { webhook: WebhookView }) {
  const { id, name, origin, events, waiting, deliveredAt } = webhook;
  const words = events.map((event) => EVENT_WORDS[event]);
  return (
    <LinkRow href={webhookHref(id)}>
      <td>
        <Link href={webhookHref(id)} className="b" prefetch={false}>
          {name}
        </Link>
      </td>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td className="webhook-host" data-m="full">
        <span className="mono fs12 ell block" title={origin}>
          {origin}
        </span>
      </td>
      <td className="t2" data-m="full">
        <span title={words.join("\n")}>
          {words[0]}
          {words.length > 1 && ` and ${words.length - 1} more`}
        </span>
      </td>
      <td className="num t2" data-m={waiting === 0 ? "hide" : "full"}>
        {waiting}
        <span className="only-m"> of its calls wait</span>
      </td>
      <td className="num t3" data-m="hide">
        {deliveredAt ? <RelativeTime at={deliveredAt} /> : "never"}
      </td>
    </LinkRow>
  );
}
