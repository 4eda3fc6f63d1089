import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { toInstant, toInstantOrNull } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { Delivery, ListDeliveriesInput } from "../schema";
import { getWebhook } from "./list-webhooks";

type Row = Omit<Delivery, "occurredAt" | "nextTryAt" | "triedAt"> & {
  occurredAt: Date;
  nextTryAt: Date;
  triedAt: Date | null;
};

/** A page of the calls of a webhook, newest first. Throws NOT_FOUND, and INVALID for a cursor that is not ours. */
export async function listDeliveries(
  workspaceId: WorkspaceId,
  { webhookId, status, cursor, limit }: ListDeliveriesInput,
): Promise<{ items: Delivery[]; nextCursor: string | null }> {
  await getWebhook(workspaceId, webhookId);
  const values: unknown[] = [workspaceId, webhookId];
  const conditions = ["workspace_id = $1", "webhook_id = $2"];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (status !== "all") conditions.push(`status = ${bind(status)}`);
  if (cursor) {
    const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
    if (!time || !id) throw new AppError("INVALID", "This page of calls no longer exists. Open the list again.");
    conditions.push(`(occurred_at, id) < (${bind(new Date(Number(time)))}, ${bind(id)}::uuid)`);
  }
  const { rows } = await pool().query<Row>(
    `SELECT d.id, d.type, d.run_id AS "runId", r.title AS "runTitle", d.occurred_at AS "occurredAt", d.status, d.attempts,
       d.next_try_at AS "nextTryAt", d.tried_at AS "triedAt", d.answered, d.says, d.took_ms AS "tookMs"
     FROM (SELECT * FROM webhook_deliveries WHERE ${conditions.join(" AND ")}
       ORDER BY occurred_at DESC, id DESC LIMIT ${bind(limit + 1)}) d
     JOIN runs r ON r.workspace_id = d.workspace_id AND r.id = d.run_id AND r.removing_at IS NULL ORDER BY d.occurred_at DESC, d.id DESC`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toView),
    nextCursor: rows.length > limit && last ? `${last.occurredAt.getTime()}.${last.id}` : null,
  };
}

function toView({ occurredAt, nextTryAt, triedAt, ...row }: Row): Delivery {
  return {
    ...row,
    occurredAt: toInstant(occurredAt),
    nextTryAt: row.status === "waiting" ? toInstant(nextTryAt) : null,
    triedAt: toInstantOrNull(triedAt),
  };
}
