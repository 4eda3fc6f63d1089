import { isPassing } from "@/server/database-failure";
import type { WorkHub } from "@/server/engine/hub";
import { AppError } from "@/server/errors";
import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { retryInMs } from "../rules/back-off";
import { callAddress } from "../service/call-address";
import { bodyOf } from "../service/deliveries";
import { openWebhook } from "../service/webhook-secrets";
import {
  claimDeliveries,
  type DeliveryJob,
  forgetDelivery,
  markDelivered,
  markFailed,
  releaseDelivery,
  settleDeliveries,
} from "./delivery-rows";

/** A new call is told of; retries and hints that were lost are found so. */
const LOOK_EVERY_MS = 5_000;
const SETTLE_EVERY_MS = 60_000;
/** Calls under way at once in a process. */
const CALLS_AT_ONCE = 8;

export type WebhookOptions = { hub: Pick<WorkHub, "on">; lookEveryMs?: number };

/**
 * Calls the addresses workspaces gave, in the background until it is closed (AGT-EVT-08). A run never waits for it, and never fails by it. What
 * was called and not yet marked when a worker was killed is called again under the same id.
 */
export function startWebhooks({ hub, lookEveryMs = LOOK_EVERY_MS }: WebhookOptions): { close(): Promise<void> } {
  const busy = new Set<Promise<void>>();
  let settleAt = 0;
  const failed = "calls of webhooks could not be looked for; it is tried again";
  const looks = lookNowAndThen({ everyMs: lookEveryMs, failed }, async (signal) => {
    if (Date.now() >= settleAt) {
      await settleDeliveries();
      settleAt = Date.now() + SETTLE_EVERY_MS;
    }
    const most = CALLS_AT_ONCE - busy.size;
    if (most <= 0) return;
    for (const job of await claimDeliveries(most)) {
      const made = deliver(job, signal);
      busy.add(made);
      void made.finally(() => {
        busy.delete(made);
        // There may be more than were claimed.
        if (!signal.aborted) looks.wake();
      });
    }
  });
  hub.on("webhook", looks.wake);
  return {
    async close() {
      await looks.close();
      await Promise.all(busy);
    },
  };
}

/** Never throws: whatever happens to a call is said on its row, or it is made again when its claim has run out. */
async function deliver(job: DeliveryJob, signal: AbortSignal): Promise<void> {
  try {
    const webhook = openWebhook({ ...job, id: job.webhookId });
    const body = await bodyOf(job.workspaceId, job);
    if (body === null) return await forgetDelivery(job);
    const called = await callAddress({ workspaceId: job.workspaceId, webhook, id: job.id, body, signal });
    if (called.ok) await markDelivered(job, called);
    else await saveFailure(job, called);
  } catch (error) {
    if (signal.aborted) return await releaseDelivery(job).catch(() => {});
    // No fault of the address: the claim runs out by itself.
    if (isPassing(error)) {
      return void logger.warn({ err: error, webhookId: job.webhookId }, "a call was not recorded; it is made again");
    }
    // A key that does not open is for an owner to mend; anything else is in the log.
    if (!(error instanceof AppError)) {
      logger.warn({ err: error, webhookId: job.webhookId }, "a webhook could not be called; it is tried again");
    }
    const says =
      error instanceof AppError ? error.userMessage : "Something went wrong on the server. Its log says what.";
    await saveFailure(job, { says, status: null, tookMs: 0, isGone: false, retryAfterMs: null }).catch(
      (failed: unknown) => {
        logger.warn({ err: failed, webhookId: job.webhookId }, "how a call ended could not be saved; it is made again");
      },
    );
  }
}

async function saveFailure(
  job: DeliveryJob,
  called: { says: string; status: number | null; tookMs: number; isGone: boolean; retryAfterMs: number | null },
): Promise<void> {
  await markFailed(job, {
    ...called,
    retryInMs: Math.max(retryInMs(job.attempts, Math.random()), called.retryAfterMs ?? 0),
    quietMs: called.retryAfterMs ?? 0,
    turnOff: called.isGone,
  });
}
