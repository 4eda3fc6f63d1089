import { env } from "@/server/env";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import type { Model, ModelPrice } from "./model";
import { openAiCompatible } from "./openai-compatible";
import { REHEARSAL_REF, rehearsalModel } from "./rehearsal";

/** How a model is named to a person. Holds no key. */
export type ModelDescription = {
  provider: string;
  name: string;
  /** "provider/model": what agents and runs name. */
  ref: string;
  label: string;
  isRehearsal: boolean;
};

/** The model the environment names; without one, the rehearsal model. A new instance each time: keep it. */
export function configuredModel(): Model {
  const { MODEL_BASE_URL, MODEL_NAME, MODEL_API_KEY, MODEL_TIMEOUT_MS, MODEL_CONTEXT_TOKENS } = env();
  if (!MODEL_BASE_URL || !MODEL_NAME) return rehearsalModel();
  const price = configuredPrice();
  return openAiCompatible({
    baseUrl: MODEL_BASE_URL,
    name: MODEL_NAME,
    // Whoever runs the server named this address, so it may be a private one.
    fetch: guardedFetchFor(MODEL_BASE_URL),
    ...(MODEL_API_KEY ? { apiKey: MODEL_API_KEY } : {}),
    ...(MODEL_TIMEOUT_MS ? { timeoutMs: MODEL_TIMEOUT_MS } : {}),
    ...(price ? { price } : {}),
    ...(MODEL_CONTEXT_TOKENS ? { contextTokens: MODEL_CONTEXT_TOKENS } : {}),
  });
}

export const REHEARSAL: ModelDescription = {
  provider: "rehearsal",
  name: "rehearsal",
  ref: REHEARSAL_REF,
  label: "Rehearsal (not a language model)",
  isRehearsal: true,
};

/** What answers where a workspace names no model: the environment's, else the rehearsal model. */
export function describeConfiguredModel(): ModelDescription {
  const { MODEL_BASE_URL, MODEL_NAME } = env();
  if (!MODEL_BASE_URL || !MODEL_NAME) return REHEARSAL;
  const provider = new URL(MODEL_BASE_URL).host;
  return {
    provider,
    name: MODEL_NAME,
    ref: `${provider}/${MODEL_NAME}`,
    label: `${MODEL_NAME} at ${provider}`,
    isRehearsal: false,
  };
}

/** Half a price is no price: a cost that leaves out one side would look like the whole. */
export function configuredPrice(): ModelPrice | undefined {
  const { MODEL_INPUT_USD_PER_MTOK, MODEL_OUTPUT_USD_PER_MTOK } = env();
  const { MODEL_CACHED_USD_PER_MTOK, MODEL_REASONING_USD_PER_MTOK } = env();
  if (MODEL_INPUT_USD_PER_MTOK === undefined || MODEL_OUTPUT_USD_PER_MTOK === undefined) return undefined;
  const nanoUsd = (usd: number) => Math.round(usd * 1_000_000_000);
  const own = (usd: number | undefined) => (usd === undefined ? null : nanoUsd(usd));
  return {
    ...{ inputNanoUsd: nanoUsd(MODEL_INPUT_USD_PER_MTOK), outputNanoUsd: nanoUsd(MODEL_OUTPUT_USD_PER_MTOK) },
    ...{ cachedNanoUsd: own(MODEL_CACHED_USD_PER_MTOK), reasoningNanoUsd: own(MODEL_REASONING_USD_PER_MTOK) },
  };
}
