import type pg from "pg";
import { env } from "@/server/env";
import { openValues, partsToHide } from "@/server/mcp/server-secrets";
import { providerKeyPurpose } from "@/server/models/stored-model";
import { openHeaders } from "@/server/tracing/service/sink-headers";
import { addressToHide, openAddress, openSigningSecret } from "@/server/webhooks/service/webhook-secrets";
import { openSecret } from "./seal";

type Sealed = {
  kind: "provider" | "tool server" | "tracing" | "webhook address" | "webhook secret";
  id: string;
  sealed: string;
};

/** Whatever a workspace keeps sealed, and whether it wants personal data taken out: one look at the database. */
export async function readSealed(
  workspaceId: string,
  from: Pick<pg.Pool, "query">,
): Promise<{ redactsPii: boolean; sealed: Sealed[] }> {
  const { rows } = await from.query<{ redactsPii: boolean; sealed: Sealed[] }>(
    `SELECT w.redacts_pii AS "redactsPii", (SELECT coalesce(json_agg(k ORDER BY k.kind, k.id), '[]') FROM (
       SELECT 'provider' AS kind, id, api_key_sealed AS sealed FROM providers WHERE workspace_id = $1 AND api_key_sealed IS NOT NULL
       UNION ALL SELECT 'tool server', id, secret_sealed FROM tool_servers WHERE workspace_id = $1 AND secret_sealed IS NOT NULL
       UNION ALL SELECT 'tracing', workspace_id, headers_sealed FROM trace_sinks WHERE workspace_id = $1 AND headers_sealed IS NOT NULL
       UNION ALL SELECT 'webhook address', id, url_sealed FROM webhooks WHERE workspace_id = $1
       UNION ALL SELECT 'webhook secret', id, secret_sealed FROM webhooks WHERE workspace_id = $1
     ) k) AS sealed FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  return rows[0] ?? { redactsPii: false, sealed: [] };
}

/** What is inside, in each way it may be said. Throws NOT_READY where it cannot be opened. */
export function openSealed(workspaceId: string, { kind, id, sealed }: Sealed): string[] {
  switch (kind) {
    case "provider":
      return [openSecret({ workspaceId, purpose: providerKeyPurpose(id) }, sealed)];
    case "tool server":
      return partsToHide(openValues({ id, workspaceId, secretSealed: sealed }));
    case "tracing":
      return partsToHide(openHeaders(workspaceId, sealed));
    case "webhook address":
      return addressToHide(openAddress({ workspaceId, id, urlSealed: sealed }));
    case "webhook secret":
      return [openSigningSecret({ workspaceId, id, secretSealed: sealed })];
    default:
      return kind satisfies never;
  }
}

/** What this installation itself must keep to itself. */
export function ownSecrets(): string[] {
  const { MODEL_API_KEY, AUTH_SECRET, SECRETS_KEY, SETUP_TOKEN, DATABASE_URL } = env();
  const { password } = new URL(DATABASE_URL);
  const own = [MODEL_API_KEY, AUTH_SECRET, SECRETS_KEY, SETUP_TOKEN];
  // A short one is a word of every other text, and the embedded database has one of its own.
  if (password.length >= 8) own.push(decodeURIComponent(password));
  return own.flatMap((secret) => secret ?? []);
}
