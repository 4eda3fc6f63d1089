import { z } from "zod";

/** What was told of an error beside its code. Each only where it was. */
export const toldFacts = z
  .object({
    /** The answer of the far side, where it gave one (LLM-OBS-03). */
    httpStatus: z.int(),
    /** What the far side asked to wait (AGT-ERR-07). */
    retryAfterMs: z.number(),
    /** Calls it said are left (AGT-ERR-07). */
    remainingQuota: z.int(),
    /** Tokens the model takes, and what it was sent (AGT-ERR-05). */
    allowedTokens: z.int(),
    actualTokens: z.int(),
    /** Whom the call was for (AGT-ERR-10). */
    host: z.string(),
    port: z.int(),
    /** The limit that was passed (AGT-ERR-11). */
    timeoutMs: z.number(),
  })
  .partial();
export type ToldFacts = z.infer<typeof toldFacts>;

/** What a step keeps of an error for whoever opens it: what the catalogue suggests (AGT-ERR-01), and what was told. */
export const errorDetails = toldFacts.extend({
  type: z.string().nullable(),
  delayMs: z.number(),
  attempts: z.int(),
});
export type ErrorDetails = z.infer<typeof errorDetails>;
