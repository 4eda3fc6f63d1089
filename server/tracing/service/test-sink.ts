import { v7 as newId } from "uuid";
import { countEndpointTest } from "@/server/auth/rate-limits";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";
import type { TraceSpan } from "../rules/agent-spans";
import { agentSpanId, traceIdOf } from "../rules/span-ids";
import type { SinkTest } from "../schema";
import { sendSpans } from "./send-spans";

/**
 * Sends one span to the saved receiver, also while it is off, and tells what came back. What is wrong there is told in the result; throws
 * NOT_FOUND, TOO_MANY_REQUESTS, and NOT_READY when the headers cannot be opened.
 */
export async function testSink({
  scope,
  signal,
}: {
  scope: Scope;
  signal?: AbortSignal | undefined;
}): Promise<SinkTest> {
  const { workspaceId, userId } = scope;
  await countEndpointTest(userId);
  const sink = await db().traceSink.findUnique({ where: { workspaceId } });
  if (!sink) throw new AppError("NOT_FOUND", "No address is saved yet. Save one, then test it.");
  const span = testSpan(workspaceId);
  const startedAt = performance.now();
  const sent = await sendSpans({ workspaceId, url: sink.url, headersSealed: sink.headersSealed }, [span], signal);
  return {
    ok: sent.code === "ok",
    ...{ code: sent.code, says: sent.says, status: sent.status, traceId: span.traceId },
    tookMs: Math.round(performance.now() - startedAt),
  };
}

function testSpan(workspaceId: string): TraceSpan {
  const id = newId();
  const now = Date.now();
  return {
    ...{ traceId: traceIdOf(id), spanId: agentSpanId(id), parentSpanId: null },
    ...{ name: "troupe test span", kind: "internal", startMs: now - 1, endMs: now },
    attributes: { "troupe.workspace.id": workspaceId, "troupe.test": true },
    ...{ events: [], error: null },
  };
}
