import { z } from "zod";
import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { listDeliveries } from "./queries/list-deliveries";
import { getWebhook, listWebhooks } from "./queries/list-webhooks";
import {
  createWebhookInput,
  deliveryIdInput,
  deliveryPage,
  deliveryPayload,
  listDeliveriesInput,
  updateWebhookInput,
  webhookIdInput,
  webhookRemoved,
  webhookTest,
  webhookView,
  webhookWithSecret,
} from "./schema";
import { previewDelivery, sendAgain } from "./service/deliveries";
import { createWebhook, removeWebhook, renewSecret, updateWebhook } from "./service/save-webhook";
import { testWebhook } from "./service/test-webhook";

/** Addresses that are called when something happens. All changes are an owner's: what is said in runs may go along. */
export const webhooksRouter = router({
  list: inWorkspace.output(z.array(webhookView)).query(({ ctx }) => listWebhooks(ctx.scope.workspaceId)),

  get: inWorkspace
    .input(webhookIdInput)
    .output(webhookView)
    .query(({ ctx, input }) => getWebhook(ctx.scope.workspaceId, input.webhookId)),

  deliveries: inWorkspace
    .input(listDeliveriesInput)
    .output(deliveryPage)
    .query(({ ctx, input }) => listDeliveries(ctx.scope.workspaceId, input)),

  create: asOwner
    .input(createWebhookInput)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => createWebhook(ctx.scope, input)),

  update: asOwner
    .input(updateWebhookInput)
    .output(webhookView)
    .mutation(({ ctx, input }) => updateWebhook(ctx.scope, input)),

  renewSecret: asOwner
    .input(webhookIdInput)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => renewSecret(ctx.scope, input.webhookId)),

  remove: asOwner
    .input(webhookIdInput)
    .output(webhookRemoved)
    .mutation(({ ctx, input }) => removeWebhook(ctx.scope, input.webhookId)),

  test: asOwner
    .input(webhookIdInput)
    .output(webhookTest)
    .mutation(({ ctx, input, signal }) => testWebhook(ctx.scope, { webhookId: input.webhookId, signal })),

  /** What a call tells, as it would be sent now. */
  payload: inWorkspace
    .input(deliveryIdInput)
    .output(deliveryPayload)
    .query(({ ctx, input }) => previewDelivery(ctx.scope, input.deliveryId)),

  sendAgain: asOwner
    .input(deliveryIdInput)
    .output(deliveryIdInput)
    .mutation(({ ctx, input }) => sendAgain(ctx.scope, input.deliveryId)),
});
