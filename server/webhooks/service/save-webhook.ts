import { v7 as newId } from "uuid";
import { Prisma } from "@/prisma/generated/client";
import { db, pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { forgetUnusedHost } from "@/server/outgoing/allowed-hosts";
import { neededAllowance } from "@/server/outgoing/needed-allowance";
import type { Target } from "@/server/outgoing/targets";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { MOST_WEBHOOKS } from "../constants";
import { getWebhook } from "../queries/list-webhooks";
import { newSecret } from "../rules/sign";
import type { CreateWebhookInput, UpdateWebhookInput } from "../schema";
import { sealAddress, sealSigningSecret } from "./webhook-secrets";

/**
 * Adds an address that is called from now on. What its calls are signed with is told this once. Throws INVALID for an address that cannot be
 * used or is private and not allowed, and for one too many; CONFLICT for a name that is taken; NOT_READY without a secrets key.
 */
export async function createWebhook(scope: Scope, input: CreateWebhookInput) {
  const { workspaceId, userId } = scope;
  const { address, allowPrivateHost, ...settings } = input;
  const allowance = await neededAllowance(workspaceId, { url: address, allowPrivateHost });
  if ((await db().webhook.count({ where: { workspaceId } })) >= MOST_WEBHOOKS) {
    throw new AppError("INVALID", `A workspace has at most ${MOST_WEBHOOKS} webhooks. Remove one first.`);
  }
  const webhook = { workspaceId, id: newId() };
  const secret = newSecret();
  await saveUnlessTaken(
    db().$transaction([
      ...allowing(scope, allowance),
      db().webhook.create({
        data: {
          ...{ ...webhook, ...settings, origin: new URL(address).origin, createdById: userId },
          ...{ urlSealed: sealAddress(webhook, address), secretSealed: sealSigningSecret(webhook, secret) },
        },
      }),
    ]),
  );
  return { webhook: await getWebhook(workspaceId, webhook.id), secret };
}

/** Changes one; an address of null stays. It is tried at once again. Throws NOT_FOUND, and what createWebhook throws. */
export async function updateWebhook(scope: Scope, { webhookId, ...input }: UpdateWebhookInput) {
  const { workspaceId } = scope;
  const before = await findWebhook(scope, webhookId);
  const { address, allowPrivateHost, ...settings } = input;
  // Turning it off needs nobody's leave, and what is kept is judged by its origin: a lost key is no reason to refuse another name.
  const url = address ?? before.origin;
  const allowance =
    address !== null || settings.enabled ? await neededAllowance(workspaceId, { url, allowPrivateHost }) : null;
  await saveUnlessTaken(
    db().$transaction([
      ...allowing(scope, allowance),
      db().webhook.updateMany({
        where: { workspaceId, id: webhookId },
        data: {
          ...settings,
          ...(address === null ? {} : { origin: new URL(address).origin, urlSealed: sealAddress(before, address) }),
          ...{ failures: 0, failingSince: null, failedAt: null, problem: null, nextTryAt: new Date() },
        },
      }),
    ]),
  );
  await tryAllNow(workspaceId, webhookId);
  if (address !== null && new URL(address).origin !== before.origin) await forgetUnusedHost(workspaceId, before.origin);
  return getWebhook(workspaceId, webhookId);
}

/** Calls are signed with another secret from now on, which is told this once. Throws NOT_FOUND, and NOT_READY without a secrets key. */
export async function renewSecret(scope: Scope, webhookId: string) {
  const { workspaceId } = scope;
  const webhook = await findWebhook(scope, webhookId);
  const secret = newSecret();
  await db().webhook.updateMany({
    where: { workspaceId, id: webhookId },
    data: { secretSealed: sealSigningSecret(webhook, secret) },
  });
  return { webhook: await getWebhook(workspaceId, webhookId), secret };
}

/** Its calls go with it, also those that wait. Throws NOT_FOUND. */
export async function removeWebhook(scope: Scope, webhookId: string): Promise<{ webhookId: string }> {
  const { workspaceId } = scope;
  const { origin } = await findWebhook(scope, webhookId);
  // Nothing is queued for it from here on, and its calls go some at a time: whoever records an event never waits for long.
  await db().webhook.updateMany({ where: { workspaceId, id: webhookId }, data: { enabled: false } });
  for (let deleted = CALLS_A_DELETE; deleted === CALLS_A_DELETE; ) {
    const { rowCount } = await pool().query(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE workspace_id = $1 AND webhook_id = $2 LIMIT $3)`,
      [workspaceId, webhookId, CALLS_A_DELETE],
    );
    deleted = rowCount ?? 0;
  }
  await inTransaction((client) =>
    client.query("DELETE FROM webhooks WHERE workspace_id = $1 AND id = $2", [workspaceId, webhookId]),
  );
  await forgetUnusedHost(workspaceId, origin);
  return { webhookId };
}
const CALLS_A_DELETE = 1_000;

/** What waits is tried with what was just saved, not after the pause of what was before. */
async function tryAllNow(workspaceId: string, webhookId: string): Promise<void> {
  await pool().query(
    `WITH tried AS (
       UPDATE webhook_deliveries SET next_try_at = now()
       WHERE workspace_id = $1 AND webhook_id = $2 AND status = 'waiting' AND next_try_at > now())
     SELECT pg_notify('troupe_work', 'webhook:' || $2)`,
    [workspaceId, webhookId],
  );
}

/** Throws NOT_FOUND. */
export async function findWebhook({ workspaceId }: Scope, webhookId: string) {
  const webhook = await db().webhook.findFirst({ where: { workspaceId, id: webhookId } });
  if (!webhook) throw new AppError("NOT_FOUND", "There is no such webhook. It may have been removed.");
  return webhook;
}

function allowing({ workspaceId, userId }: Scope, target: Target | null) {
  if (!target) return [];
  const { host, port } = target;
  const data = [{ workspaceId, host, port, createdById: userId }];
  return [db().allowedHost.createMany({ data, skipDuplicates: true })];
}

async function saveUnlessTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
    if (!isTaken) throw error;
    throw new AppError("CONFLICT", "There is a webhook of this name. Choose another.", { cause: error });
  }
}
