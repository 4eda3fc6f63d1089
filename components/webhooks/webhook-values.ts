import type { CreateWebhookInput, WebhookEvent, WebhookView } from "@/server/webhooks/schema";
import { FIRST_EVENTS } from "./event-words";

export type WebhookValues = Omit<CreateWebhookInput, "events"> & { events: WebhookEvent[] };

/** What the form begins with; `here` is where Troupe is opened now. The stored address is never shown: an empty field keeps it. */
export function valuesOf(webhook: WebhookView | null, here: string): WebhookValues {
  return {
    name: webhook?.name ?? "",
    address: "",
    events: webhook?.events ?? FIRST_EVENTS,
    linkOrigin: webhook?.linkOrigin ?? here,
    withContent: webhook?.withContent ?? false,
    enabled: webhook?.enabled ?? true,
    allowPrivateHost: webhook?.privateHostAllowed ?? false,
  };
}
