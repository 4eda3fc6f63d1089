import type { Redact } from "./pii";

/** Cleans JSON in a text inside its values, so that it is still JSON and escapes hide nothing; of any other text, the text. */
export function insideJson(text: string, redact: Redact): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redact(text);
  }
  const clean = redact(value);
  if (clean === value) return text;
  const written = JSON.stringify(clean);
  return written === JSON.stringify(value) ? text : written;
}
