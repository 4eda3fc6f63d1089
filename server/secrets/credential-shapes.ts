const HIDDEN = "[hidden]";

/** Credentials that are known by how they are written, whoever they belong to. */
const SHAPES: [shape: RegExp, put: string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
  // With a digit: words of a sentence have none.
  [/\b(Bearer|Basic|Token)(\s+)(?=[A-Za-z._~+/=-]*\d)[\w.~+/=-]{16,}/gi, `$1$2${HIDDEN}`],
  [/\b(sk|pk|rk)[-_](?=[\w-]*\d)[\w-]{16,}/g, HIDDEN],
  [/\bgh[oprsu]_\w{30,}|\bgithub_pat_\w{40,}|\bglpat-[\w-]{20,}/g, HIDDEN],
  [/\bxox[abeoprs]-[\w-]{10,}/g, HIDDEN],
  [/\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}/g, HIDDEN],
  [/\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g, HIDDEN],
  // The password in an address.
  [/(:\/\/[^\s:/@"\\]{1,200}:)[^\s/@"\\]{1,200}@/g, `$1${HIDDEN}@`],
];
/** None of them is shorter. */
const SHORTEST = 10;

/** Blots what is written like a credential out of every text and key of a plain value; a field named __proto__ is left out. */
export function hideCredentials<T>(value: T): T {
  return hide(value) as T;
}

function hide(value: unknown): unknown {
  if (typeof value === "string") return hideIn(value);
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "__proto__" ? [] : [[hideIn(key), hide(inner)]])),
  );
}

function hideIn(text: string): string {
  if (text.length < SHORTEST) return text;
  return SHAPES.reduce((clean, [shape, put]) => clean.replace(shape, put), text);
}
