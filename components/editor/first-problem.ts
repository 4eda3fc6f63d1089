import type { z } from "zod";

/** A schema as the validator of a form's field: the first thing wrong with a value, or null. */
export function firstProblem(schema: z.ZodType): (value: unknown) => string | null {
  return (value) => {
    const result = schema.safeParse(value);
    return result.success ? null : (result.error.issues[0]?.message ?? "This cannot be used.");
  };
}
