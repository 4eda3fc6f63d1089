import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret, as receivers that follow Standard Webhooks take it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

type Signed = { id: string; timestampSeconds: number; body: string };

/** The headers of Standard Webhooks 1.0.0: the id is the same at each attempt, so that a receiver knows what it has already. */
export function signedHeaders(secret: string, { id, timestampSeconds, body }: Signed): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestampSeconds}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": `v1,${signature}`,
  };
}
