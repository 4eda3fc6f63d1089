import { APIConnectionError, APIError } from "openai";
import { ModelError } from "./model";

/** Codes of sockets that were never opened; every other connection error means an open one was lost. */
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const LONGEST_DETAIL = 300;

/**
 * Says what went wrong in words that are safe to store and show. The SDK's error is not kept as `cause`:
 * it can quote the request, and a provider can echo the key in its answer.
 */
export function toModelError(error: unknown, call: { model: string; secrets: readonly string[] }): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof SyntaxError) {
    return new ModelError("malformed_reply", "The model's answer was not valid JSON.");
  }
  if (error instanceof APIConnectionError) return connectionError(error);
  if (error instanceof APIError) return answeredError(error, call);
  return connectionError(error);
}

function connectionError(error: unknown): ModelError {
  const code = causeCode(error);
  if (code && NEVER_CONNECTED.has(code)) {
    return new ModelError(
      "unavailable",
      `The model's endpoint could not be reached (${code}). Check that it runs and that MODEL_BASE_URL is its address.`,
    );
  }
  return new ModelError("connection_lost", `The connection to the model was lost${code ? ` (${code})` : ""}.`);
}

function answeredError(error: APIError, call: { model: string; secrets: readonly string[] }): ModelError {
  const status: unknown = error.status ?? error.code;
  const detail = scrub(error.message, call.secrets);
  if (status === 401 || status === 403) {
    // The provider's own words often quote a part of the key.
    return new ModelError(
      "unauthorized",
      `The endpoint refused the key (${status}). Correct MODEL_API_KEY and start Troupe again.`,
    );
  }
  if (status === 429 || status === "rate_limit_exceeded") {
    const retryAfterMs = retryAfter(error.headers, Date.now());
    return new ModelError("rate_limited", `The endpoint asks for fewer calls (429): ${detail}`, { retryAfterMs });
  }
  if (status === 408) return new ModelError("timeout", "The endpoint gave up waiting (408).");
  if (status === 404 || isUnknownModel(error)) {
    return new ModelError(
      "unknown_model",
      `The endpoint does not know the model “${call.model}”; check MODEL_NAME and MODEL_BASE_URL. It says: ${detail}`,
    );
  }
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new ModelError("bad_request", `The endpoint refused the request: ${detail}`);
  }
  const retryAfterMs = retryAfter(error.headers, Date.now());
  return new ModelError("unavailable", `The endpoint failed: ${detail}`, { retryAfterMs });
}

function isUnknownModel(error: APIError): boolean {
  return (
    error.code === "model_not_found" || /model\b.*(not found|does not exist|not exist|unknown)/i.test(error.message)
  );
}

/** Retry-After in milliseconds: `retry-after-ms`, seconds, or an HTTP date. Undefined when absent or unreadable. */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = headers?.get("retry-after-ms");
  if (milliseconds && Number.isFinite(Number(milliseconds))) return Math.max(0, Math.ceil(Number(milliseconds)));
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (Number.isFinite(Number(value))) return Math.max(0, Math.ceil(Number(value) * 1000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, "[hidden]");
  return clean.length > LONGEST_DETAIL ? `${clean.slice(0, LONGEST_DETAIL)}…` : clean;
}

function causeCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
