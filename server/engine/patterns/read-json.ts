import type { z } from "zod";

/** The array `[]` or object `{}` a model was asked for, also with words or a fence around it; null when there is none of that shape. */
export function readJson<T>(schema: z.ZodType<T>, shape: "[]" | "{}", reply: string): T | null {
  const [open = "", close = ""] = shape;
  try {
    return schema.parse(JSON.parse(reply.slice(reply.indexOf(open), reply.lastIndexOf(close) + 1)));
  } catch {
    return null;
  }
}
