import { z } from "zod";

export const teamSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  version: z.int(),
  /** The tree in words, root first. */
  agents: z.array(z.object({ name: z.string(), purpose: z.string(), depth: z.int() })),
  /** A first request to try. */
  example: z.string().nullable(),
});
export type TeamSummary = z.infer<typeof teamSummary>;
