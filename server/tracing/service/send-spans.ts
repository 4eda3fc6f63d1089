import { redactorOf } from "@/server/mcp/server-secrets";
import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { describeUnreached, readRetryAfter } from "@/server/outgoing/unreached";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { TraceSpan } from "../rules/agent-spans";
import { type HeaderValues, openHeaders } from "./sink-headers";

const TIMEOUT_MS = 15_000;
/** An answer holds at most a sentence. */
const MAX_ANSWER_BYTES = 100_000;
/** Of what the receiver says of a part it did not take. */
const MOST_WORDS = 300;

/** How a request ended. `says` is one sentence that holds nothing of headers, and of the answer only a receiver's word on spans it left out. */
export type Sent =
  | { isTaken: true; code: "ok" | "partial"; says: string; status: number; rejected: number }
  /** `isFinal`: the very same request would be refused again. */
  | {
      isTaken: false;
      code: "private-host" | "refused" | "unauthorized" | "unreachable";
      says: string;
      status: number | null;
      isFinal: boolean;
      retryAfterMs: number | null;
    };

type Sink = { workspaceId: WorkspaceId; url: string; headersSealed: string | null };

/**
 * Sends spans to the workspace's own receiver, through the guard: private hosts only where an owner allowed them, redirects never.
 * Never throws for what the far side does; throws AppError NOT_READY when the headers cannot be opened, and the signal's reason.
 */
export async function sendSpans(sink: Sink, spans: readonly TraceSpan[], signal?: AbortSignal): Promise<Sent> {
  const headers = openHeaders(sink.workspaceId, sink.headersSealed);
  // Most processes never send any.
  const { encodeSpans, readPartialSuccess } = await import("./encode-spans");
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const call = guardedFetch({
    allowPrivate: await allowedHosts(sink.workspaceId),
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  try {
    const response = await call(sink.url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-protobuf", accept: "application/x-protobuf" },
      body: encodeSpans(spans, sink.workspaceId) as Uint8Array<ArrayBuffer>,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    return await readAnswer(response, headers, readPartialSuccess);
  } catch (error) {
    signal?.throwIfAborted();
    const why = describeUnreached(error, { isLate: late.aborted, host: new URL(sink.url).host, timeoutMs: TIMEOUT_MS });
    return { isTaken: false, ...why, status: null, isFinal: false, retryAfterMs: null };
  }
}

async function readAnswer(
  response: Response,
  headers: HeaderValues,
  readPartialSuccess: (body: Uint8Array) => { rejected: number; message: string },
): Promise<Sent> {
  const { status } = response;
  if (response.ok) {
    const { rejected, message } = readPartialSuccess(new Uint8Array(await response.arrayBuffer()));
    if (rejected === 0) return { isTaken: true, code: "ok", says: `It was taken (${status}).`, status, rejected };
    const words = redactorOf(headers)(message).replace(/\s+/g, " ").trim().slice(0, MOST_WORDS);
    const why = words ? ` It says: ${words}` : "";
    return {
      isTaken: true,
      code: "partial",
      says: `The receiver left out ${rejected} of the spans (${status}).${why}`,
      status,
      rejected,
    };
  }
  await response.body?.cancel();
  return refusedWith(response, Object.keys(headers).length > 0);
}

/** By status alone: what the far side says could hold anything. */
function refusedWith({ status, headers }: Response, hasHeaders: boolean): Sent {
  const retryAfterMs = readRetryAfter(headers);
  const refused = (says: string, isFinal = false): Sent => ({
    isTaken: false,
    code: "refused",
    says,
    status,
    isFinal,
    retryAfterMs,
  });
  if (status === 401 || status === 403) {
    const says = hasHeaders
      ? `The receiver refused the headers (${status}). Check that the key was copied whole and is still valid.`
      : `The receiver asks for a key (${status}). Add the header it wants.`;
    return { isTaken: false, code: "unauthorized", says, status, isFinal: false, retryAfterMs };
  }
  if (status >= 300 && status < 400) {
    return refused(`The receiver redirects (${status}), which is not followed. Enter the address it redirects to.`);
  }
  if (status === 404 || status === 405) {
    return refused(`Something answers there, but takes no traces (${status}). The path usually is /v1/traces.`);
  }
  if (status === 415) return refused("The receiver does not take protobuf (415).");
  if (status === 400 || status === 413 || status === 422) {
    return refused(`The receiver does not take these spans (${status}).`, true);
  }
  if (status === 429) return refused("The receiver asks for fewer requests (429).");
  return refused(`The receiver failed (${status}). If it stays so, look at its own log.`);
}
