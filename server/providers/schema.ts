import { z } from "zod";
import { resiliencePolicy } from "@/server/engine/resilience/policy";

const id = z.uuid();
const instant = z.iso.datetime();

/** Stands before the slash in "provider/model", so it never changes. */
export const providerName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "Small letters, digits and hyphens, up to 40, e.g. openai.")
  .refine((name) => name !== "rehearsal" && name !== "built-in", "This name is taken by Troupe itself.");

export const baseUrl = z
  .string()
  .trim()
  .max(500)
  .regex(/^https?:\/\/[^\s/]+/i, "A web address with its version, e.g. https://api.openai.com/v1.");

const apiKey = z.string().trim().max(4000);

const nanoUsdPerMtok = z.int().min(0).max(1_000_000_000_000_000).nullable();
/** Null of `input` or `output`: what its calls cost is unknown. Null of the others: billed as input and as output (LLM-OBS-07). */
const prices = {
  inputNanoUsdPerMtok: nanoUsdPerMtok,
  cachedNanoUsdPerMtok: nanoUsdPerMtok,
  outputNanoUsdPerMtok: nanoUsdPerMtok,
  reasoningNanoUsdPerMtok: nanoUsdPerMtok,
};
export const MODEL_KINDS = ["chat", "embedding"] as const;
const modelFields = z.strictObject({
  name: z.string().trim().min(1, "Name the model as the provider does.").max(200),
  kind: z.enum(MODEL_KINDS),
  contextTokens: z.int().min(1).max(100_000_000).nullable(),
  ...prices,
  cachedNanoUsdPerMtok: nanoUsdPerMtok.default(null),
  reasoningNanoUsdPerMtok: nanoUsdPerMtok.default(null),
});
export type ModelFields = z.infer<typeof modelFields>;
export type ModelPrices = Pick<ModelFields, keyof typeof prices>;

const models = z.array(modelFields).max(500, "At most 500 models at once.");

export const createProviderInput = z.strictObject({
  name: providerName,
  baseUrl,
  /** Empty: the endpoint asks for none. */
  apiKey: apiKey.default(""),
  /** The owner's word that this host:port on a private network may be called. Needed once for each. */
  allowPrivateHost: z.boolean().default(false),
  /** Saved with it: all or nothing. */
  models: models.default([]),
  /** Of a test that went well, as the test gave it; left out: it is saved untested. */
  proof: z.string().max(1000).nullable().default(null),
});
/** How its calls are guarded (AGT-RES-01). How many are under way at once is `mostCalls`; another model stands in, never a text. */
export const providerPolicy = resiliencePolicy
  .omit({ bulkhead: true })
  .refine(({ fallback }) => !fallback || fallback.use !== null, {
    path: ["fallback", "use"],
    message: "Choose the model that stands in.",
  });

export const updateProviderInput = z.strictObject({
  providerId: id,
  baseUrl,
  /** Left out: keep the stored key. Empty: remove it. */
  apiKey: apiKey.optional(),
  allowPrivateHost: z.boolean().default(false),
  /** Calls of its models under way at once, over all workers; null: any number. Left out: as it is. */
  mostCalls: z.int().min(1, "At least 1.").max(10_000, "At most 10,000.").nullable().optional(),
  /** Left out: as it is. */
  resilience: providerPolicy.optional(),
});
export const providerIdInput = z.strictObject({ providerId: id });

export const providerModel = z.object({
  id,
  /** As the provider calls it. */
  name: z.string(),
  /** "provider/model": what agents and runs name. */
  ref: z.string(),
  kind: z.enum(MODEL_KINDS),
  contextTokens: z.int().nullable(),
  ...prices,
});
export type ProviderModelView = z.infer<typeof providerModel>;

export const saveModelInput = modelFields.extend({ providerId: id });
/** Several of the provider's list: all or nothing. */
export const addModelsInput = z.strictObject({ providerId: id, models: models.min(1, "Pick at least one model.") });
export const modelIdInput = z.strictObject({ modelId: id });

/** Stands for a key too short to show its end. */
export const HIDDEN_KEY = "…";

export const providerView = z.object({
  id,
  name: z.string(),
  baseUrl: z.string(),
  /** e.g. "…k3Xq", or HIDDEN_KEY; null: no key. Never the key. */
  apiKeyHint: z.string().nullable(),
  isPrivateHost: z.boolean(),
  checkedAt: instant.nullable(),
  checkError: z.string().nullable(),
  mostCalls: z.int().nullable(),
  /** As an owner set it. */
  resilience: resiliencePolicy,
  /** Of its breaker; null: it has none, or nothing failed yet. */
  breaker: z.object({ is: z.enum(["closed", "open", "half_open"]), until: instant.nullable() }).nullable(),
  models: z.array(providerModel),
});
export type ProviderView = z.infer<typeof providerView>;

/** What the endpoint says of itself: GET /models, or why not. */
export const providerCheck = z.object({
  ok: z.boolean(),
  /** A sentence on what is wrong and what to do; null when ok. */
  problem: z.string().nullable(),
  /** private-host: ask the owner to allow it and send allowPrivateHost. */
  code: z.enum(["ok", "private-host", "unauthorized", "unreachable", "not-compatible", "refused"]),
  models: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(MODEL_KINDS),
      contextTokens: z.int().nullable(),
      ...prices,
    }),
  ),
});
export type ProviderCheck = z.infer<typeof providerCheck>;
/** Of an endpoint that is not saved yet. */
export const newProviderCheck = providerCheck.extend({
  /** Goes with what is saved, so that it is known as tested; null: the test did not go well. */
  proof: z.string().nullable(),
});
export type NewProviderCheck = z.infer<typeof newProviderCheck>;
/** Tests an endpoint before it is saved. */
export const checkProviderInput = z.strictObject({
  baseUrl,
  apiKey: apiKey.default(""),
  allowPrivateHost: z.boolean().default(false),
});
export const testModelInput = z.strictObject({ modelId: id });
/** One tiny call: what came back, or why not. */
export const modelTest = z.object({ ok: z.boolean(), detail: z.string(), durationMs: z.int() });

export const setDefaultModelInput = z.strictObject({
  /** "provider/model", "rehearsal/rehearsal", or null for what the environment names. */
  model: z.string().max(300).nullable(),
});

/** What answers from now on where an agent names no model. */
export const defaultModel = z.object({ ref: z.string(), label: z.string(), isRehearsal: z.boolean() });

/** A model that can be chosen in forms. */
export const modelChoice = z.object({
  ref: z.string(),
  label: z.string(),
  kind: z.enum(MODEL_KINDS),
  isRehearsal: z.boolean(),
  isDefault: z.boolean(),
  contextTokens: z.int().nullable(),
  ...prices,
});
export type ModelChoice = z.infer<typeof modelChoice>;
