import { z } from "zod";

const id = z.uuid();

export const EXAMPLE_NOUNS = ["run", "conversation", "team", "agent", "base", "tool_server"] as const;
export type ExampleNoun = (typeof EXAMPLE_NOUNS)[number];

export const exampleView = z.object({
  noun: z.enum(EXAMPLE_NOUNS),
  id,
  name: z.string(),
  /** Why it would stay if the examples were removed now, in a sentence; null: it would go. */
  whyKept: z.string().nullable(),
});
export type ExampleView = z.infer<typeof exampleView>;
