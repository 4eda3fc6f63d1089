import { createHash, hkdfSync } from "node:crypto";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";

export type SecretsKey = {
  /** Tells keys apart in sealed texts; says nothing of the key. */
  id: string;
  bytes: Buffer;
};

let derived: { from: string; key: SecretsKey } | undefined;

/** The key that seals stored secrets, derived from SECRETS_KEY. Throws AppError NOT_READY when that is not set. */
export function secretsKey(): SecretsKey {
  const from = env().SECRETS_KEY;
  if (!from) {
    throw new AppError(
      "NOT_READY",
      "SECRETS_KEY is not set, so keys can be neither stored nor used. Start with `npm start`, which makes one; a worker of its own needs the same SECRETS_KEY as the web server.",
    );
  }
  if (derived?.from !== from) derived = { from, key: derive(from) };
  return derived.key;
}

/** What tells the key made of this SECRETS_KEY from others: it stands in every sealed text and in backups. */
export const keyFingerprint = (from: string): string => derive(from).id;

function derive(from: string): SecretsKey {
  const bytes = Buffer.from(hkdfSync("sha256", from, "", "troupe:secrets:v1", 32));
  return { id: createHash("sha256").update("troupe:secrets:id").update(bytes).digest("hex").slice(0, 8), bytes };
}
