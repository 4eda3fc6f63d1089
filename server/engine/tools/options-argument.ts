import { z } from "zod";
import type { RequestOption } from "../events";

/** Options may arrive as an array or as a JSON-encoded one (LOK-ESC-06). */
function decoded(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Answers to choose from, as a model wrote them; one that is there twice is one. */
export const optionsArgument = z.preprocess(
  decoded,
  z
    .array(z.string().min(1).max(500))
    .max(20)
    .default([])
    .transform((options) => [...new Set(options)].map((option): RequestOption => ({ value: option, label: option }))),
);
