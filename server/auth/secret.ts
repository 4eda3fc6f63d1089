import { env } from "@/server/env";

/** Signs and encrypts sessions. Without it nobody can sign in, so its absence stops the request by name. */
export function authSecret(): string {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set. Start with `npm start`, which makes one.");
  return secret;
}
