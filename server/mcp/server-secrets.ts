import { z } from "zod";
import { redactor } from "@/server/secrets/redactor";
import { openSecret, type SealedFor, sealSecret } from "@/server/secrets/seal";

const values = z.record(z.string(), z.string());
export type SecretValues = z.infer<typeof values>;

type ServerRef = { id: string; workspaceId: string };
const sealedFor = ({ id, workspaceId }: ServerRef): SealedFor => ({ workspaceId, purpose: `tool-server:${id}` });

/** Headers or environment, as one sealed text. Null when there are none, so that servers without secrets need no key. */
export function sealValues(server: ServerRef, secrets: SecretValues): string | null {
  return Object.keys(secrets).length === 0 ? null : sealSecret(sealedFor(server), JSON.stringify(secrets));
}

/** Throws AppError NOT_READY when they were sealed with another key. */
export function openValues(server: ServerRef & { secretSealed: string | null }): SecretValues {
  if (server.secretSealed === null) return {};
  return values.parse(JSON.parse(openSecret(sealedFor(server), server.secretSealed)));
}

/** Blots a server's secrets out of whatever it says; of "Bearer abc" also abc alone, of "Basic …" the password in it. */
export function redactorOf(secrets: SecretValues): ReturnType<typeof redactor> {
  return redactor(partsToHide(secrets));
}

/** What of these values must be seen nowhere. */
export function partsToHide(secrets: SecretValues): string[] {
  return Object.values(secrets).flatMap((value) => [
    ...[value, value.replace(/^(Bearer|Basic|Token)\s+/i, "")],
    ...passwordIn(value),
  ]);
}

function passwordIn(value: string): string[] {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  const pair = encoded ? Buffer.from(encoded, "base64").toString("utf8") : "";
  const at = pair.indexOf(":");
  return at < 0 ? [] : [pair.slice(at + 1)];
}
