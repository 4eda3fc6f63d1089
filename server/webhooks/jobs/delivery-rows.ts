import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { KEPT_DAYS } from "../constants";
import { FIRST_RETRY_MS, LONGEST_RETRY_MS, PATIENT_FAILURES } from "../rules/back-off";
import type { WebhookEvent } from "../schema";

/** A claimed call; `workspaceId` is proven by the claim. */
export type DeliveryJob = {
  id: string;
  workspaceId: WorkspaceId;
  webhookId: string;
  runId: string;
  seq: number;
  type: WebhookEvent;
  occurredAt: Date;
  /** This one included. */
  attempts: number;
  linkOrigin: string;
  withContent: boolean;
  urlSealed: string;
  secretSealed: string;
};

/** Longer than any call takes: then whoever claimed it is gone, and it is made again under the same id. */
const CLAIMED_FOR = "interval '1 minute'";
const CALLS_A_WEBHOOK = 4;

/**
 * Claims calls that are due, of every webhook some, those that waited longest first. An address that failed again and again is asked with
 * one call alone, and with no other before that one has ended.
 */
export async function claimDeliveries(most: number): Promise<DeliveryJob[]> {
  const { rows } = await pool().query<DeliveryJob>(
    `WITH due AS (
       SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
         SELECT id, next_try_at FROM webhook_deliveries d
         WHERE d.webhook_id = w.id AND d.status = 'waiting' AND d.next_try_at <= now() ORDER BY d.next_try_at
         LIMIT CASE WHEN w.failures >= ${PATIENT_FAILURES} THEN 1 ELSE ${CALLS_A_WEBHOOK} END) d
       WHERE w.enabled AND w.next_try_at <= now() ORDER BY d.next_try_at LIMIT $1
     ), mine AS (
       SELECT d.id FROM webhook_deliveries d WHERE d.id IN (SELECT id FROM due) AND d.status = 'waiting' AND d.next_try_at <= now()
       FOR NO KEY UPDATE SKIP LOCKED
     ), probed AS (
       UPDATE webhooks w SET next_try_at = now() + ${CLAIMED_FOR} FROM webhook_deliveries d
       WHERE d.id IN (SELECT id FROM mine) AND w.id = d.webhook_id AND w.failures >= ${PATIENT_FAILURES}
     )
     UPDATE webhook_deliveries d SET attempts = attempts + 1, tried_at = now(), next_try_at = now() + ${CLAIMED_FOR}
     FROM mine, webhooks w WHERE d.id = mine.id AND w.workspace_id = d.workspace_id AND w.id = d.webhook_id
     RETURNING d.id, d.workspace_id AS "workspaceId", d.webhook_id AS "webhookId", d.run_id AS "runId", d.seq, d.type,
       d.occurred_at AS "occurredAt", d.attempts, w.link_origin AS "linkOrigin", w.with_content AS "withContent",
       w.url_sealed AS "urlSealed", w.secret_sealed AS "secretSealed"`,
    [most],
  );
  return rows;
}

type Ended = { status: number | null; says: string; tookMs: number };

export async function markDelivered(job: DeliveryJob, { status, says, tookMs }: Ended): Promise<void> {
  await pool().query(
    `WITH delivered AS (
       UPDATE webhook_deliveries SET status = 'delivered', answered = $3, says = $4, took_ms = $5 WHERE workspace_id = $1 AND id = $2
     ), went AS (
       UPDATE webhooks SET delivered_at = now(), next_try_at = now(), failures = 0, failing_since = NULL, problem = NULL WHERE workspace_id = $1 AND id = $6
     ) SELECT tell_changed($1, 'webhooks', $6)`,
    [job.workspaceId, job.id, status, says, tookMs, job.webhookId],
  );
}

/**
 * `retryInMs`: when this call is made again; `quietMs`: for how long the address wants to be left alone; `turnOff`: it wants no more. Which
 * failure of the address this is, only the row knows: several calls of it are under way at once.
 */
export async function markFailed(
  job: DeliveryJob,
  {
    status,
    says,
    tookMs,
    retryInMs,
    quietMs,
    turnOff,
  }: Ended & { retryInMs: number; quietMs: number; turnOff: boolean },
): Promise<void> {
  await pool().query(
    `WITH failed AS (
       UPDATE webhook_deliveries SET answered = $3, says = $4, took_ms = $5, next_try_at = now() + make_interval(secs => $6),
         status = CASE WHEN give_up_at <= now() + make_interval(secs => $6) THEN 'given_up' ELSE status END
       WHERE workspace_id = $1 AND id = $2
     ), troubled AS (
       UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $4,
         next_try_at = greatest(now() + make_interval(secs => $7),
           now() + make_interval(secs => CASE WHEN failures + 1 < ${PATIENT_FAILURES} THEN 0
             ELSE least(${LONGEST_RETRY_MS / 1000}, ${FIRST_RETRY_MS / 1000} * 2 ^ least(failures + 1 - ${PATIENT_FAILURES}, 20)) END)),
         enabled = enabled AND NOT $8
       WHERE workspace_id = $1 AND id = $9
     ) SELECT tell_changed($1, 'webhooks', $9)`,
    [...[job.workspaceId, job.id, status, says, tookMs, retryInMs / 1000], ...[quietMs / 1000, turnOff, job.webhookId]],
  );
}

/** What its event was about is gone: there is nothing to tell. */
export async function forgetDelivery(job: DeliveryJob): Promise<void> {
  await pool().query("DELETE FROM webhook_deliveries WHERE workspace_id = $1 AND id = $2", [job.workspaceId, job.id]);
}

/** Gives up what was tried for too long, also what waits for a webhook that is off, and forgets what was called long ago. */
export async function settleDeliveries(): Promise<void> {
  await pool().query(
    `UPDATE webhook_deliveries SET status = 'given_up', says = coalesce(says, 'The webhook was off until it was too late.')
     WHERE status = 'waiting' AND give_up_at <= now()`,
  );
  await pool().query(
    `DELETE FROM webhook_deliveries WHERE status <> 'waiting' AND occurred_at < now() - interval '${KEPT_DAYS} days'`,
  );
}
