import { openSecret, sealSecret } from "@/server/secrets/seal";

/** The address may hold a key, as those of chat services do, so it is kept like what calls are signed with. */
export type WebhookSecrets = { url: string; secret: string };
type Ref = { workspaceId: string; id: string };
type Sealed = { urlSealed: string; secretSealed: string };

const addressOf = ({ workspaceId, id }: Ref) => ({ workspaceId, purpose: `webhook-address:${id}` });
const secretOf = ({ workspaceId, id }: Ref) => ({ workspaceId, purpose: `webhook-secret:${id}` });

export const sealAddress = (webhook: Ref, url: string) => sealSecret(addressOf(webhook), url);
export const sealSigningSecret = (webhook: Ref, secret: string) => sealSecret(secretOf(webhook), secret);

/** Throws AppError NOT_READY when it was sealed with another key. */
export const openAddress = (webhook: Ref & Pick<Sealed, "urlSealed">) =>
  openSecret(addressOf(webhook), webhook.urlSealed);

/** Throws AppError NOT_READY when it was sealed with another key. */
export const openSigningSecret = (webhook: Ref & Pick<Sealed, "secretSealed">) =>
  openSecret(secretOf(webhook), webhook.secretSealed);

export function openWebhook(webhook: Ref & Sealed): WebhookSecrets {
  return { url: openAddress(webhook), secret: openSigningSecret(webhook) };
}

/** A path or query that is long enough to hold a key; a plain address is no secret. */
const LIKE_A_KEY = /[A-Za-z0-9_-]{16,}/;

/** What of an address must be seen nowhere. */
export function addressToHide(url: string): string[] {
  const { pathname, search } = new URL(url);
  return LIKE_A_KEY.test(pathname + search) ? [url, pathname + search] : [];
}
