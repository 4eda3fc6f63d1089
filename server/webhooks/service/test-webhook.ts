import { v7 as newId } from "uuid";
import { countEndpointTest } from "@/server/auth/rate-limits";
import type { Scope } from "@/server/workspaces/scope";
import type { WebhookTest } from "../schema";
import { callAddress } from "./call-address";
import { findWebhook } from "./save-webhook";
import { openWebhook } from "./webhook-secrets";

/**
 * Calls the saved address once, also while it is off, with `type: "test"`, and tells what came back. What is wrong there is told in the
 * result; throws NOT_FOUND, TOO_MANY_REQUESTS, and NOT_READY when the address cannot be opened.
 */
export async function testWebhook(
  scope: Scope,
  { webhookId, signal }: { webhookId: string; signal?: AbortSignal | undefined },
): Promise<WebhookTest> {
  await countEndpointTest(scope.userId);
  const stored = await findWebhook(scope, webhookId);
  const body = JSON.stringify({
    ...{ type: "test", timestamp: new Date().toISOString() },
    text: `This is a test of the webhook “${stored.name}” of Troupe. ${stored.linkOrigin}/webhooks/${stored.id}`,
    data: {},
  });
  const call = { workspaceId: scope.workspaceId, webhook: openWebhook(stored), id: newId(), body, signal };
  const { ok, says, status, tookMs } = await callAddress(call);
  return { ok, says, status, tookMs };
}
