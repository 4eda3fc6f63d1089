import { pool } from "@/server/db";
import { env } from "@/server/env";
import { openValues, partsToHide } from "@/server/mcp/server-secrets";
import { providerKeyPurpose } from "@/server/models/stored-model";
import { hideCredentials } from "@/server/secrets/credential-shapes";
import { redactor } from "@/server/secrets/redactor";
import { openSecret } from "@/server/secrets/seal";
import type { WorkspaceId } from "@/server/workspaces/scope";

/**
 * Blots out of any value what this workspace and this installation keep secret, and what is written like a credential. Throws NOT_READY
 * where a stored secret cannot be opened: what nobody knows cannot be hidden.
 */
export async function workspaceRedactor(workspaceId: WorkspaceId): Promise<<T>(value: T) => T> {
  const [{ rows: providers }, { rows: servers }] = await Promise.all([
    pool().query<{ id: string; sealed: string }>(
      "SELECT id, api_key_sealed AS sealed FROM providers WHERE workspace_id = $1 AND api_key_sealed IS NOT NULL",
      [workspaceId],
    ),
    pool().query<{ id: string; sealed: string }>(
      "SELECT id, secret_sealed AS sealed FROM tool_servers WHERE workspace_id = $1 AND secret_sealed IS NOT NULL",
      [workspaceId],
    ),
  ]);
  const keys = providers.map(({ id, sealed }) => openSecret({ workspaceId, purpose: providerKeyPurpose(id) }, sealed));
  const values = servers.flatMap(({ id, sealed }) =>
    partsToHide(openValues({ id, workspaceId, secretSealed: sealed })),
  );
  const redact = redactor([...keys, ...values, ...ownSecrets()]);
  return (value) => hideCredentials(redact(value));
}

function ownSecrets(): string[] {
  const { MODEL_API_KEY, AUTH_SECRET, SECRETS_KEY, SETUP_TOKEN, DATABASE_URL } = env();
  const { password } = new URL(DATABASE_URL);
  const own = [MODEL_API_KEY, AUTH_SECRET, SECRETS_KEY, SETUP_TOKEN];
  // A short one is a word of every other text, and the embedded database has one of its own.
  if (password.length >= 8) own.push(decodeURIComponent(password));
  return own.flatMap((secret) => secret ?? []);
}
