import OpenAI from "openai";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";

export type EndpointOptions = {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Left out for servers that ask for none. */
  apiKey?: string;
  /** A guarded one that may reach this endpoint. Left out: one that reaches public addresses only. */
  fetch?: typeof fetch;
};

/** Ours always fires first; the largest a timer can hold. */
const SDK_TIMEOUT_MS = 2_147_483_647;

/** The official client, with everything it would otherwise decide by itself switched off: retries, logs, environment. */
export function openAiClient({ baseUrl, apiKey, fetch }: EndpointOptions): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    fetch: fetch ?? guardedFetch(),
    // Explicit values, because the SDK would otherwise read variables of its own from the environment.
    apiKey: apiKey ?? "none",
    organization: null,
    project: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    ...(apiKey ? {} : { defaultHeaders: { authorization: null } }),
  });
}
