/** Deeper than anything a run holds; what walks it would run out of stack far later. */
const MOST_DEPTH = 200;

const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Why a parsed value is not plain data that can be stored (A20); null when it is. Objects that look like constructors are plain data like
 * all others: nothing is ever revived from it.
 */
export function whyNotPlain(value: unknown, depth = 0): string | null {
  if (typeof value === "string") {
    if (value.includes("\0") || HALF_PAIR.test(value)) return "It holds a character that is none.";
    return null;
  }
  if (typeof value === "number") return Number.isFinite(value) ? null : "It holds a number that is too large.";
  if (typeof value !== "object" || value === null) return null;
  if (depth >= MOST_DEPTH) return "It is nested too deeply.";
  if (Array.isArray(value)) {
    for (const part of value) {
      const why = whyNotPlain(part, depth + 1);
      if (why) return why;
    }
    return null;
  }
  for (const [key, part] of Object.entries(value)) {
    if (key === "__proto__") return "It has a field named __proto__, which no run has.";
    const why = whyNotPlain(key) ?? whyNotPlain(part, depth + 1);
    if (why) return why;
  }
  return null;
}
