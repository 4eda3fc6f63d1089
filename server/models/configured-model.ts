import { env } from "@/server/env";
import type { Model, ModelPrice } from "./model";
import { openAiCompatible } from "./openai-compatible";
import { rehearsalModel } from "./rehearsal";

/** The model the environment names; without one, the rehearsal model. A new instance each time: keep it. */
export function configuredModel(): Model {
  const { MODEL_BASE_URL, MODEL_NAME, MODEL_API_KEY, MODEL_TIMEOUT_MS } = env();
  if (!MODEL_BASE_URL || !MODEL_NAME) return rehearsalModel();
  const price = configuredPrice();
  return openAiCompatible({
    baseUrl: MODEL_BASE_URL,
    name: MODEL_NAME,
    ...(MODEL_API_KEY ? { apiKey: MODEL_API_KEY } : {}),
    ...(MODEL_TIMEOUT_MS ? { timeoutMs: MODEL_TIMEOUT_MS } : {}),
    ...(price ? { price } : {}),
  });
}

/** For screens: what answers, in words. Holds no key. */
export function describeConfiguredModel(): { provider: string; name: string; label: string; isRehearsal: boolean } {
  const { MODEL_BASE_URL, MODEL_NAME } = env();
  if (!MODEL_BASE_URL || !MODEL_NAME) {
    return { provider: "rehearsal", name: "rehearsal", label: "Rehearsal (not a language model)", isRehearsal: true };
  }
  const provider = new URL(MODEL_BASE_URL).host;
  return { provider, name: MODEL_NAME, label: `${MODEL_NAME} at ${provider}`, isRehearsal: false };
}

/** Half a price is no price: a cost that leaves out one side would look like the whole. */
function configuredPrice(): ModelPrice | undefined {
  const { MODEL_INPUT_USD_PER_MTOK, MODEL_OUTPUT_USD_PER_MTOK } = env();
  if (MODEL_INPUT_USD_PER_MTOK === undefined || MODEL_OUTPUT_USD_PER_MTOK === undefined) return undefined;
  const nanoUsd = (usd: number) => Math.round(usd * 1_000_000_000);
  return { inputNanoUsd: nanoUsd(MODEL_INPUT_USD_PER_MTOK), outputNanoUsd: nanoUsd(MODEL_OUTPUT_USD_PER_MTOK) };
}
