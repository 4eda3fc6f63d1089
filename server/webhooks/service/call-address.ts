import { allowedHosts } from "@/server/outgoing/allowed-hosts";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { describeUnreached, readRetryAfter } from "@/server/outgoing/unreached";
import { signedHeaders } from "../rules/sign";
import type { WebhookSecrets } from "./webhook-secrets";

const TIMEOUT_MS = 15_000;
const GONE = 410;

/** How a call ended. `says` is one sentence that holds nothing of the address but its host, and nothing of the answer. */
export type Called = {
  ok: boolean;
  says: string;
  status: number | null;
  tookMs: number;
  /** It wants to be called no more. */
  isGone: boolean;
  retryAfterMs: number | null;
};

type Call = {
  workspaceId: string;
  webhook: WebhookSecrets;
  id: string;
  body: string;
  signal?: AbortSignal | undefined;
};

/**
 * Posts a signed body, through the guard: private hosts only where an owner allowed them, redirects never. Anything of 2xx is taken; what
 * follows it is not read.
 * Never throws for what the far side does; throws the signal's reason.
 */
export async function callAddress({ workspaceId, webhook, id, body, signal }: Call): Promise<Called> {
  const { url, secret } = webhook;
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const call = guardedFetch({ allowPrivate: await allowedHosts(workspaceId), withoutBody: true });
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  const timestampSeconds = Math.floor(Date.now() / 1000);
  try {
    const response = await call(url, {
      method: "POST",
      headers: {
        ...signedHeaders(secret, { id, timestampSeconds, body }),
        "content-type": "application/json",
        "user-agent": "Troupe-Webhooks",
      },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const { status, ok } = response;
    const tookMs = took();
    const retryAfterMs = ok ? null : readRetryAfter(response.headers);
    return { ok, says: wordsFor(status), status, tookMs, isGone: status === GONE, retryAfterMs };
  } catch (error) {
    signal?.throwIfAborted();
    const { says } = describeUnreached(error, {
      ...{ isLate: late.aborted, host: new URL(url).host, timeoutMs: TIMEOUT_MS },
    });
    return { ok: false, says, status: null, tookMs: took(), isGone: false, retryAfterMs: null };
  }
}

/** By status alone: what the far side says could hold anything. */
function wordsFor(status: number): string {
  if (status >= 200 && status < 300) return `It was taken (${status}).`;
  if (status >= 300 && status < 400) {
    return `The receiver redirects (${status}), which is not followed. Enter the address it redirects to.`;
  }
  if (status === 401 || status === 403) {
    return `The receiver refuses the call (${status}). Check the address and the secret calls are signed with.`;
  }
  if (status === 404 || status === 405)
    return `Something answers there, but takes no calls (${status}). Check the address.`;
  if (status === GONE) return `The receiver says that it wants no more calls (${GONE}).`;
  if (status === 429) return "The receiver asks for fewer calls (429).";
  if (status < 500) return `The receiver does not take this call (${status}). Its own log says why.`;
  return `The receiver failed (${status}). If it stays so, look at its own log.`;
}
