import type { WebhookView } from "@/server/webhooks/schema";
import { EVENT_WORDS } from "./event-words";

/** What it calls, when, and with what. */
export function WebhookFacts({ webhook }: { webhook: WebhookView }) {
  const { origin, events, withContent, linkOrigin, privateHostAllowed } = webhook;
  return (
    <dl className="webhook-facts">
      <div className="kv">
        <dt>Address</dt>
        <dd>
          <span className="mono fs12">{origin}/…</span>{" "}
          <span className="t3">(its path may hold a key: stored encrypted and never shown)</span>
        </dd>
      </div>
      {privateHostAllowed && (
        <div className="kv">
          <dt>Private network</dt>
          <dd className="t2">An owner allowed this host and port.</dd>
        </div>
      )}
      <div className="kv">
        <dt>Called when</dt>
        <dd>
          <ul className="webhook-chosen">
            {events.map((event) => (
              <li key={event}>
                {EVENT_WORDS[event]} <span className="mono t3 fs12">{event}</span>
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div className="kv">
        <dt>What was said</dt>
        <dd className="t2">
          {withContent ? "Goes along." : "Does not leave: names, states, times, tokens and costs do."}
        </dd>
      </div>
      <div className="kv">
        <dt>Links lead to</dt>
        <dd className="mono fs12">{linkOrigin}</dd>
      </div>
    </dl>
  );
}
