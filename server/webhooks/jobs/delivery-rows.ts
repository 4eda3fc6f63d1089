import { pool } from "@/server/db";
import { STORED_NOW } from "@/server/stored-now";
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
/** Calls of one webhook under way at once, by all workers. */
const CALLS_A_WEBHOOK = 4;

/**
 * Claims calls that are due, of each webhook in turn, those that waited longest first: one whose receiver is slow keeps nobody else's
 * waiting. An address that failed again and again is asked with one call, and with no other before that one has ended.
 */
export async function claimDeliveries(most: number): Promise<DeliveryJob[]> {
  const { rows } = await pool().query<DeliveryJob>(
    `WITH open AS (
       SELECT w.id, CASE WHEN w.failures >= ${PATIENT_FAILURES} THEN 1 ELSE ${CALLS_A_WEBHOOK} END - (
         SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.claimed_until > ${STORED_NOW}) AS room
       FROM webhooks w WHERE w.enabled AND w.next_try_at <= ${STORED_NOW} FOR NO KEY UPDATE SKIP LOCKED
     ), due AS (
       SELECT d.id FROM open CROSS JOIN LATERAL (
         SELECT id, next_try_at, row_number() OVER (ORDER BY next_try_at, id) AS turn FROM webhook_deliveries
         WHERE webhook_id = open.id AND status = 'waiting' AND next_try_at <= ${STORED_NOW}
           AND (claimed_until IS NULL OR claimed_until <= ${STORED_NOW})
         ORDER BY next_try_at, id LIMIT greatest(open.room, 0)) d
       ORDER BY d.turn, d.next_try_at LIMIT $1
     )
     UPDATE webhook_deliveries d SET attempts = attempts + 1, tried_at = now(), claimed_until = now() + ${CLAIMED_FOR}
     FROM due, webhooks w
     WHERE d.id = due.id AND d.status = 'waiting' AND (d.claimed_until IS NULL OR d.claimed_until <= ${STORED_NOW})
       AND w.workspace_id = d.workspace_id AND w.id = d.webhook_id
     RETURNING d.id, d.workspace_id AS "workspaceId", d.webhook_id AS "webhookId", d.run_id AS "runId", d.seq, d.type,
       d.occurred_at AS "occurredAt", d.attempts, w.link_origin AS "linkOrigin", w.with_content AS "withContent",
       w.url_sealed AS "urlSealed", w.secret_sealed AS "secretSealed"`,
    [most],
  );
  return rows;
}

type Ended = { status: number | null; says: string; tookMs: number };

/** Whoever was taken for gone while it called changes nothing any more: the attempt is another's by then. */
const MINE = "workspace_id = $1 AND id = $2 AND attempts = $3 AND status = 'waiting' AND claimed_until IS NOT NULL";

export async function markDelivered(job: DeliveryJob, { status, says, tookMs }: Ended): Promise<void> {
  await pool().query(
    `WITH mine AS (
       UPDATE webhook_deliveries SET status = 'delivered', answered = $4, says = $5, took_ms = $6, claimed_until = NULL
       WHERE ${MINE} RETURNING webhook_id, tried_at
     ), went AS (
       UPDATE webhooks w SET delivered_at = now(), failures = 0, failing_since = NULL, problem = NULL,
         -- What failed after this call began, or asked for a pause since, is minded.
         next_try_at = CASE WHEN w.failed_at > mine.tried_at THEN w.next_try_at ELSE now() END
       FROM mine WHERE w.workspace_id = $1 AND w.id = mine.webhook_id RETURNING w.id
     ) SELECT tell_changed($1, 'webhooks', id) FROM went`,
    [job.workspaceId, job.id, job.attempts, status, says, tookMs],
  );
}

/** Asked of the row itself, which several calls that end together write one after the other. */
const IS_NEW = "w.failed_at IS NULL OR mine.tried_at > w.failed_at";

/**
 * `retryInMs`: when this call is made again; `quietMs`: for how long the address wants to be left alone; `turnOff`: it wants no more. Of
 * calls that were under way together one failure counts: a receiver that is away for a second has not failed eight times.
 */
export async function markFailed(
  job: DeliveryJob,
  { status, says, tookMs, ...next }: Ended & { retryInMs: number; quietMs: number; turnOff: boolean },
): Promise<void> {
  await pool().query(
    `WITH mine AS (
       UPDATE webhook_deliveries SET answered = $4, says = $5, took_ms = $6, claimed_until = NULL,
         next_try_at = now() + make_interval(secs => $7),
         status = CASE WHEN give_up_at <= now() + make_interval(secs => $7) THEN 'given_up' ELSE status END
       WHERE ${MINE} RETURNING webhook_id, tried_at
     ), troubled AS (
       UPDATE webhooks w SET failing_since = coalesce(w.failing_since, now()), problem = $5,
         failures = w.failures + CASE WHEN ${IS_NEW} THEN 1 ELSE 0 END,
         failed_at = CASE WHEN ${IS_NEW} THEN now() ELSE w.failed_at END,
         next_try_at = greatest(w.next_try_at, now() + make_interval(secs => $8),
           now() + make_interval(secs => CASE WHEN NOT (${IS_NEW}) OR w.failures + 1 < ${PATIENT_FAILURES} THEN 0
             ELSE least(${LONGEST_RETRY_MS / 1000}, ${FIRST_RETRY_MS / 1000} * 2 ^ least(w.failures + 1 - ${PATIENT_FAILURES}, 20)) END)),
         -- It was the address of then that wants no more.
         enabled = NOT ($9 AND w.url_sealed = $10)
       FROM mine WHERE w.workspace_id = $1 AND w.id = mine.webhook_id AND w.enabled RETURNING w.id
     ) SELECT tell_changed($1, 'webhooks', id) FROM troubled`,
    [
      ...[job.workspaceId, job.id, job.attempts, status, says, tookMs],
      ...[next.retryInMs / 1000, next.quietMs / 1000, next.turnOff, job.urlSealed],
    ],
  );
}

/** Lets go of a call that was not made to its end, so that another worker makes it at once. */
export async function releaseDelivery(job: DeliveryJob): Promise<void> {
  await pool().query(`UPDATE webhook_deliveries SET claimed_until = NULL WHERE ${MINE}`, [
    job.workspaceId,
    job.id,
    job.attempts,
  ]);
}

/** What its event was about is gone: there is nothing to tell. */
export async function forgetDelivery(job: DeliveryJob): Promise<void> {
  await pool().query("DELETE FROM webhook_deliveries WHERE workspace_id = $1 AND id = $2", [job.workspaceId, job.id]);
}

/** So many at once: on the embedded database everybody waits for a statement. */
const SETTLED_AT_ONCE = 1_000;

/** Gives up what was tried for too long, also what waits for a webhook that is off, and forgets what was called long ago. */
export async function settleDeliveries(): Promise<void> {
  await pool().query(
    `UPDATE webhook_deliveries d SET status = 'given_up', says = coalesce(d.says, CASE WHEN w.enabled
       THEN 'The address did not get through until it was too late.' ELSE 'The webhook was off until it was too late.' END)
     FROM webhooks w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND d.id IN (
       SELECT id FROM webhook_deliveries WHERE status = 'waiting' AND give_up_at <= now()
         AND (claimed_until IS NULL OR claimed_until <= ${STORED_NOW}) LIMIT ${SETTLED_AT_ONCE})`,
  );
  await pool().query(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE status <> 'waiting' AND occurred_at < now() - interval '${KEPT_DAYS} days'
       LIMIT ${SETTLED_AT_ONCE})`,
  );
}
