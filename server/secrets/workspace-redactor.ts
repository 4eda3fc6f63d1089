import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { hideCredentials } from "./credential-shapes";
import { redactor } from "./redactor";
import { openSealed, ownSecrets, readSealed } from "./workspace-secrets";

/**
 * For what leaves: blots out of any value what this workspace and this installation keep secret, and what is written like a credential.
 * Throws NOT_READY where a stored secret cannot be opened: what nobody knows cannot be hidden.
 */
export async function workspaceRedactor(workspaceId: WorkspaceId): Promise<<T>(value: T) => T> {
  const { sealed } = await readSealed(workspaceId, pool());
  const redact = redactor([...sealed.flatMap((one) => openSealed(workspaceId, one)), ...ownSecrets()]);
  return (value) => hideCredentials(redact(value));
}
