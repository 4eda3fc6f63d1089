import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError } from "@/server/errors";
import { secretsKey } from "./secrets-key";

/** What a sealed text belongs to: one copied to another workspace, or used for something else, does not open. */
export type SealedFor = {
  workspaceId: string;
  /** Names the row and field, e.g. "provider:<id>". Must be the same to open. */
  purpose: string;
};

const CIPHER = "aes-256-gcm";
const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a secret to be stored: `v1.<key id>.<nonce>.<ciphertext and tag>`. Throws AppError NOT_READY without a key. */
export function sealSecret(sealedFor: SealedFor, secret: string): string {
  const key = secretsKey();
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(boundTo(sealedFor));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, key.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

/**
 * Opens what sealSecret made. Throws AppError NOT_READY when it was sealed with another secrets key, or was changed or
 * moved since; the sentence says what to do and holds nothing of the secret.
 */
export function openSecret(sealedFor: SealedFor, sealed: string): string {
  const key = secretsKey();
  const [version, keyId, nonce, body, ...rest] = sealed.split(".");
  if (version !== VERSION || !nonce || !body || rest.length > 0) throw damaged();
  if (keyId !== key.id) {
    throw new AppError(
      "NOT_READY",
      "This secret was sealed with another secrets key. Start Troupe with the SECRETS_KEY (or the data directory's file secrets-key) it was saved with, or enter the secret again.",
    );
  }
  try {
    const bytes = Buffer.from(body, "base64url");
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, "base64url"), options)
      .setAAD(boundTo(sealedFor))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    throw damaged();
  }
}

const boundTo = ({ workspaceId, purpose }: SealedFor) => Buffer.from(JSON.stringify([workspaceId, purpose]), "utf8");

function damaged(): AppError {
  return new AppError("NOT_READY", "This stored secret cannot be opened: it was changed or moved. Enter it again.");
}
