import { z } from "zod";
import type { AnswerKind, RequestOption } from "./events";

/** JSON schema of an answer, as it is kept with the request. */
export function answerSchema(kind: AnswerKind, options: readonly RequestOption[]): Record<string, unknown> {
  const values = options.map(({ value }) => value);
  switch (kind) {
    case "choice":
      return { type: "string", minLength: 1 };
    case "confirm":
      return { type: "string", enum: values };
    case "several":
      return { type: "array", items: { type: "string", enum: values }, uniqueItems: true };
  }
}

const storedSchema = z.looseObject({ type: z.unknown(), enum: z.unknown() }).partial().catch({});

/** The kind a stored schema stands for. */
export function answerKindOf(schema: unknown): AnswerKind {
  const stored = storedSchema.parse(schema);
  if (stored.type === "array") return "several";
  return stored.enum ? "confirm" : "choice";
}
