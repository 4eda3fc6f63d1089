import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import { STORED_NOW } from "@/server/stored-now";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { TRIED_DAYS } from "../constants";
import { readTold } from "../queries/read-told";
import { payloadOf, type Telling } from "../rules/payload";

type Queued = Omit<Telling, "occurredAt"> & { runId: string; seq: number; occurredAt: Date };

/**
 * The body of a call, from the record as it is now and clean of whatever is secret; null when the event is gone. Throws NOT_READY where a
 * stored secret cannot be opened: what nobody knows cannot be hidden.
 */
export async function bodyOf(workspaceId: WorkspaceId, delivery: Queued): Promise<string | null> {
  const told = await readTold(workspaceId, delivery);
  if (!told) return null;
  const redact = await workspaceRedactor(workspaceId);
  return JSON.stringify(payloadOf(redact(told), { ...delivery, occurredAt: delivery.occurredAt.toISOString() }));
}

/** What is sent for it, as it would be sent now. Throws NOT_FOUND. */
export async function previewDelivery({ workspaceId }: Scope, deliveryId: string): Promise<{ body: string }> {
  const { rows } = await pool().query<Queued>(
    `SELECT d.run_id AS "runId", d.seq, d.type, d.occurred_at AS "occurredAt", w.link_origin AS "linkOrigin", w.with_content AS "withContent"
     FROM webhook_deliveries d JOIN webhooks w ON w.workspace_id = d.workspace_id AND w.id = d.webhook_id
     WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, deliveryId],
  );
  const body = rows[0] ? await bodyOf(workspaceId, rows[0]) : null;
  if (body === null) throw gone();
  return { body };
}

/** Makes a call once more, under the id it had. Throws NOT_FOUND, and CONFLICT while its webhook is off. */
export async function sendAgain({ workspaceId }: Scope, deliveryId: string): Promise<{ deliveryId: string }> {
  const { rows } = await pool().query<{ webhookId: string; enabled: boolean }>(
    `SELECT w.id AS "webhookId", w.enabled FROM webhook_deliveries d
     JOIN webhooks w ON w.workspace_id = d.workspace_id AND w.id = d.webhook_id WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, deliveryId],
  );
  if (!rows[0]) throw gone();
  if (!rows[0].enabled) throw new AppError("CONFLICT", "This webhook is off. Turn it on, then send again.");
  await pool().query(
    `WITH again AS (
       -- One that is just being called is left to that.
       UPDATE webhook_deliveries SET status = 'waiting', next_try_at = now(), claimed_until = NULL,
         give_up_at = now() + interval '${TRIED_DAYS} days'
       WHERE workspace_id = $1 AND id = $2 AND (claimed_until IS NULL OR claimed_until <= ${STORED_NOW})
     ), tried AS (UPDATE webhooks SET next_try_at = now() WHERE workspace_id = $1 AND id = $3)
     SELECT pg_notify('troupe_work', 'webhook:' || $3)`,
    [workspaceId, deliveryId, rows[0].webhookId],
  );
  return { deliveryId };
}

const gone = () => new AppError("NOT_FOUND", "There is no such call any more. It may have gone with its run.");
