import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { hostPortOf } from "@/server/outgoing/targets";
import { toInstant, toInstantOrNull } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { MOST_COUNTED, type WebhookView } from "../schema";

type Times = "failingSince" | "nextTryAt" | "deliveredAt" | "createdAt";
type Row = Omit<WebhookView, Times | "privateHostAllowed"> & {
  failingSince: Date | null;
  nextTryAt: Date;
  deliveredAt: Date | null;
  createdAt: Date;
};

/** All of a workspace, by name; `webhookId` asks for one. */
export async function listWebhooks(workspaceId: WorkspaceId, webhookId: string | null = null): Promise<WebhookView[]> {
  const [{ rows }, allowed] = await Promise.all([
    pool().query<Row>(
      `SELECT w.id, w.name, w.origin, w.link_origin AS "linkOrigin", w.events, w.with_content AS "withContent", w.enabled, w.failures,
         w.failing_since AS "failingSince", w.problem, w.next_try_at AS "nextTryAt", w.delivered_at AS "deliveredAt",
         w.created_at AS "createdAt", q.waiting
       FROM webhooks w CROSS JOIN LATERAL (
         SELECT count(*)::int AS waiting FROM (
           SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'waiting' LIMIT ${MOST_COUNTED}) d) q
       WHERE w.workspace_id = $1 AND ($2::uuid IS NULL OR w.id = $2) ORDER BY lower(w.name), w.id`,
      [workspaceId, webhookId],
    ),
    allowedHosts(workspaceId),
  ]);
  return rows.map((row) => ({
    ...row,
    privateHostAllowed: allowed.has(hostPortOf(row.origin)),
    failingSince: toInstantOrNull(row.failingSince),
    nextTryAt: row.failures > 0 ? toInstant(row.nextTryAt) : null,
    deliveredAt: toInstantOrNull(row.deliveredAt),
    createdAt: toInstant(row.createdAt),
  }));
}

/** Throws NOT_FOUND. */
export async function getWebhook(workspaceId: WorkspaceId, webhookId: string): Promise<WebhookView> {
  const [webhook] = await listWebhooks(workspaceId, webhookId);
  if (!webhook) throw new AppError("NOT_FOUND", "There is no such webhook. It may have been removed.");
  return webhook;
}
