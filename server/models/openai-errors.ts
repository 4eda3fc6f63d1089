import { APIConnectionError, APIError } from "openai";
import type { ToldFacts } from "@/server/engine/resilience/error-details";
import { refusalIn } from "@/server/outgoing/refused";
import { redactor } from "@/server/secrets/redactor";
import { contextTokensIn } from "./context-tokens";
import { ModelError, type ModelErrorCode } from "./model";

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

/** What a person does about a failed call. `key` and `address` are sentences; `model` ends one after a semicolon. */
export type Remedies = { key: string; address: string; model: string };

const ENVIRONMENT: Remedies = {
  key: "Correct MODEL_API_KEY and start Troupe again.",
  address: "Check that it runs and that MODEL_BASE_URL is its address.",
  model: "check MODEL_NAME and MODEL_BASE_URL",
};

type Call = {
  model: string;
  secrets: readonly string[];
  remedies?: Remedies;
  /** Of the endpoint. */
  url?: URL;
  /** Tokens the model takes, as far as anybody said. */
  contextTokens?: number;
};

/**
 * Says what went wrong in words that are safe to store and show. The SDK's error is not kept as `cause`:
 * it can quote the request, and a provider can echo the key in its answer.
 */
export function toModelError(error: unknown, call: Call): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof SyntaxError) {
    return new ModelError("malformed_reply", "The model's answer was not valid JSON.");
  }
  if (error instanceof APIConnectionError) return connectionError(error, call);
  if (error instanceof APIError) return answeredError(error, call);
  return connectionError(error, call);
}

/** AGT-ERR-10 */
function placeOf(url: URL | undefined): { host?: string; port?: number } {
  if (!url) return {};
  return { host: url.hostname, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

function connectionError(error: unknown, { remedies = ENVIRONMENT, url }: Call): ModelError {
  const refusal = refusalIn(error);
  if (refusal) return new ModelError("bad_request", `The model was not called. ${refusal.message}`);
  const code = causeCode(error);
  if (code && NEVER_CONNECTED.has(code)) {
    const message = `The model's endpoint could not be reached (${code}). ${remedies.address}`;
    return new ModelError("unreachable", message, placeOf(url));
  }
  const message = `The connection to the model was lost${code ? ` (${code})` : ""}.`;
  return new ModelError("connection_lost", message, placeOf(url));
}

function answeredError(error: APIError, call: Call): ModelError {
  const { remedies = ENVIRONMENT } = call;
  const status: unknown = error.status ?? error.code;
  const detail = scrub(error.message, call.secrets);
  // LLM-OBS-03. An error inside a stream comes without one.
  const told = typeof error.status === "number" ? { httpStatus: error.status } : {};
  const answered = (code: ModelErrorCode, message: string, facts: ToldFacts = {}) =>
    new ModelError(code, message, { ...told, ...facts });
  if (status === 401 || status === 403) {
    // The provider's own words often quote a part of the key.
    return answered("unauthorized", `The endpoint refused the key (${status}). ${remedies.key}`);
  }
  if (status === 429 || status === "rate_limit_exceeded") {
    const facts = { ...waitOf(error), ...quotaOf(error), ...placeOf(call.url) };
    return answered("rate_limited", `The endpoint asks for fewer calls (429): ${detail}`, facts);
  }
  if (status === 408) return answered("timeout", "The endpoint gave up waiting (408).");
  if (status === 404 || isUnknownModel(error)) {
    return answered(
      "unknown_model",
      `The endpoint does not know the model “${call.model}”; ${remedies.model}. It says: ${detail}`,
    );
  }
  if (isTooLong(error)) {
    const message = `The conversation is longer than the model “${call.model}” takes. The endpoint says: ${detail}`;
    const { contextTokens: allowedTokens } = call;
    const facts = { ...(allowedTokens ? { allowedTokens } : {}), ...contextTokensIn(error.message) };
    return answered("context_too_long", message, facts);
  }
  if (isFiltered(error)) {
    return answered("content_filtered", `The endpoint's content policy refused the request: ${detail}`);
  }
  if (TOOLS_UNSUPPORTED.test(error.message)) {
    const message = `The model “${call.model}” takes no tools; choose one that does. The endpoint says: ${detail}`;
    return answered("tools_unsupported", message);
  }
  if (UNSUPPORTED.test(error.message)) {
    return answered("capability_missing", `The model “${call.model}” cannot do what was asked. It says: ${detail}`);
  }
  if (typeof status === "number" && status >= 400 && status < 500) {
    return answered("bad_request", `The endpoint refused the request: ${detail}`);
  }
  if (status === 529 || error.code === "overloaded_error" || error.type === "overloaded_error") {
    return answered("overloaded", `The model is overloaded: ${detail}`, waitOf(error));
  }
  return answered("unavailable", `The endpoint failed: ${detail}`, waitOf(error));
}

function waitOf({ headers }: APIError): { retryAfterMs?: number } {
  const retryAfterMs = retryAfter(headers, Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** AGT-ERR-07 */
function quotaOf({ headers }: APIError): { remainingQuota?: number } {
  const left = headers?.get("x-ratelimit-remaining-requests")?.trim();
  return left && Number.isSafeInteger(Number(left)) ? { remainingQuota: Number(left) } : {};
}

function isUnknownModel(error: APIError): boolean {
  return (
    error.code === "model_not_found" || /model\b.*(not found|does not exist|not exist|unknown)/i.test(error.message)
  );
}

/** The ways in which endpoints say that a conversation does not fit. A reply that was asked for too long is something else. */
const TOO_LONG =
  /context.{0,12}(length|window|size)|maximum prompt length|(prompt|input) is too long|input token count|reduce the length of the messages/i;

function isTooLong({ code, type, message }: APIError): boolean {
  return code === "context_length_exceeded" || type === "exceed_context_size_error" || TOO_LONG.test(message);
}

function isFiltered({ code, type }: APIError): boolean {
  return code === "content_filter" || code === "content_policy_violation" || type === "content_filter";
}

const TOOLS_UNSUPPORTED = /does not support (tools?|tool calls?|function calling)|tool (use|calling) is not supported/i;
const UNSUPPORTED = /does not support (images?|vision|streaming|structured outputs?|response_format)/i;

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
  const clean = redactor(secrets)(text);
  return clean.length > LONGEST_DETAIL ? `${clean.slice(0, LONGEST_DETAIL)}…` : clean;
}

function causeCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
