const UNSTORABLE = /\\u0000|\\ud[89a-f]/;

/**
 * JSON of a value as Postgres can store it. Models and tools may say a NUL or half of a surrogate pair, which Postgres
 * refuses: both become the replacement character. An escaped one in the text of a value is merely looked at twice.
 */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? storable(part) : part));
}

const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as Postgres can store it. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").replace(HALF_PAIR, "\ufffd");
}
