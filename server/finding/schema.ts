import { z } from "zod";

/** How many of a kind can be found by the model of today. */
const preparedCount = z.object({
  ready: z.int(),
  /** Ones the model would not take the texts of: they are not found this way. */
  refused: z.int(),
  total: z.int(),
});
export type PreparedCount = z.infer<typeof preparedCount>;

/** How this workspace finds runs and decisions that are like what is searched for. */
export const findingView = z.object({
  /** "built-in" or "provider/model". */
  embeddingModel: z.string(),
  /** By a model that knows meanings; else by likeness of words. */
  byMeaning: z.boolean(),
  /** Null: no model was ever chosen, and whatever is new is ready within seconds. */
  prepared: z.object({ runs: preparedCount, decisions: preparedCount }).nullable(),
  /** Why nothing is being prepared now, and when that is tried again; null while all is well. */
  problem: z.string().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  /** What the model said of the newest text it would not take. */
  refusal: z.string().nullable(),
  /** Sent to the provider since it was chosen; tokens are an estimate, and the cost is null where its price is unknown. */
  sent: z.object({ texts: z.int(), tokens: z.int(), costNanoUsd: z.int().nullable() }),
});
export type FindingView = z.infer<typeof findingView>;

export const findingModelInput = z.strictObject({ embeddingModel: z.string().max(300) });
export type FindingModelInput = z.infer<typeof findingModelInput>;

/** What choosing a model would send to its provider now: estimated from the newest of what there is. */
export const findingEstimate = z.object({
  runs: z.int(),
  decisions: z.int(),
  texts: z.int(),
  tokens: z.int(),
  costNanoUsd: z.int().nullable(),
});
export type FindingEstimate = z.infer<typeof findingEstimate>;
