import { isIPv4, isIPv6 } from "node:net";

/** What stands in the place of what was taken out (LLM-PROV-16). */
export const PII_MARKS = {
  email: "[REDACTED_EMAIL]",
  phone: "[REDACTED_PHONE]",
  card: "[REDACTED_CC]",
  ssn: "[REDACTED_SSN]",
  key: "[REDACTED_KEY]",
  ip: "[REDACTED_IP]",
} as const;

/** Takes personal data out of a text, or out of every text, key and number inside arrays and plain objects. */
export type Redact = <T>(value: T) => T;

/**
 * Takes personal data out of a text. By form alone, so it is careful rather than complete: names and street addresses stay, and so do numbers
 * that could as well be a date, a version, an id or an order. Every pattern is bounded: the time is linear in the length, whatever the text.
 */
export function redactText(text: string): string {
  // Too short for any of them.
  if (text.length < 7) return text;
  let clean = keys(text);
  if (clean.includes("@") || clean.includes("%40")) clean = clean.replace(EMAIL, emailMark);
  if (!/\d/.test(clean)) return clean;
  clean = clean.replace(SSN, PII_MARKS.ssn);
  clean = clean.replace(CARD, (digits) => (isCard(digits) ? PII_MARKS.card : digits));
  clean = clean.replace(IPV4, (address, at: number, whole: string) =>
    isAddress(address, whole, at) ? PII_MARKS.ip : address,
  );
  if (clean.includes(":")) clean = clean.replace(IPV6, (address) => (isPersonalIpv6(address) ? PII_MARKS.ip : address));
  for (const pattern of PHONES) clean = clean.replace(pattern, phoneMark);
  return clean;
}

/** As `redactText`, of whatever JSON can hold. What nothing is taken out of is given back as it is. */
export const redactPii: Redact = <T>(value: T) => redacted(value) as T;

/** The same object where nothing changed, so that most of what is looked through is not copied. */
function redacted(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  // A number without separators can be nothing but a card.
  if (typeof value === "number") return Number.isSafeInteger(value) && isCard(String(value)) ? PII_MARKS.card : value;
  if (Array.isArray(value)) {
    const items = value.map(redacted);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isPlainObject(value)) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const [cleanKey, clean] = [redactText(key), redacted(inner)];
    if (cleanKey !== key || clean !== inner) isSame = false;
    return [cleanKey, clean];
  });
  return isSame ? value : Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** By who gives them out: what begins so is nothing else. */
const KEY =
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,200}|(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,100}|gh[pousr]_[A-Za-z0-9]{20,100}|github_pat_[A-Za-z0-9_]{20,200}|glpat-[A-Za-z0-9_-]{16,100}|xox[abeprs]-[A-Za-z0-9-]{10,200}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,60}|npm_[A-Za-z0-9]{30,60}|hf_[A-Za-z0-9]{20,60}|eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000})(?![A-Za-z0-9])/g;
const BEARER = /\b(Bearer|Basic)(\s{1,3})([A-Za-z0-9._~+/=-]{16,4000})/gi;
/** The name stays, the value goes: it must hold a digit, or words that explain a password would go. */
const NAMED =
  /\b((?:api|access|secret|private|auth)[_-]?(?:key|token)|client[_-]?secret|secret|token|password|passwd|pwd)("?'?\s{0,3}[:=]\s{0,3}["']?)(?!\[REDACTED)(?=[^\s"',;]{0,200}\d)[^\s"',;]{6,400}/gi;
const PEM =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,]{1,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g;

function keys(text: string): string {
  let clean = text.includes("PRIVATE KEY") ? text.replace(PEM, PII_MARKS.key) : text;
  clean = clean.replace(KEY, PII_MARKS.key);
  clean = clean.replace(BEARER, (_all, word: string, space: string) => `${word}${space}${PII_MARKS.key}`);
  return clean.replace(NAMED, (_all, name: string, between: string) => `${name}${between}${PII_MARKS.key}`);
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}_][\p{L}\p{N}._%+'-]{0,63}(?:@|%40)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;

/** Text may be JSON or code in which `\n` stands before it: that letter is not the address's. */
function emailMark(address: string, at: number, whole: string): string {
  const isEscape = whole[at - 1] === "\\" && /^[nrtbf]/.test(address);
  return isEscape ? `${address[0]}${PII_MARKS.email}` : PII_MARKS.email;
}

/** Three parts with the same separator; numbers that are never given out are something else. */
const SSN = /(?<![\w-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g;

const CARD = /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d-]|\.\d)/g;
/** First digits and lengths of those that are issued. */
const ISSUED: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2[2-7])/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14]],
  [/^6(?:011|4[4-9]|5)/, [16, 17, 18, 19]],
  [/^35/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[37])/, [16, 18, 19]],
];

function isCard(written: string): boolean {
  const digits = written.replace(/\D/g, "");
  if (!ISSUED.some(([begin, lengths]) => lengths.includes(digits.length) && begin.test(digits))) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  // All zeros, all nines.
  return sum % 10 === 0 && new Set(digits).size > 1;
}

const IPV4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g;

/** Of this very machine, and "any": nobody's. A version of four parts is told by the word before it. */
function isAddress(address: string, whole: string, at: number): boolean {
  if (!isIPv4(address) || /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/.test(address)) return false;
  return !/(?:version|release|build|ver\.?|rev\.?)[\s:=]{0,3}$/i.test(whole.slice(Math.max(0, at - 12), at));
}

const IPV6 = /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi;

/** Names in code such as `a::b` are valid ones, too: an address that a person has says more. */
function isPersonalIpv6(address: string): boolean {
  return isIPv6(address) && address.split(":").filter(Boolean).length >= 3 && /\d/.test(address);
}

const PHONES: readonly RegExp[] = [
  // After a word that says so: however it is written.
  /(?<=\b(?:tel|phone|mobile|cell|fax|call|whatsapp|telefon|handy)\.?(?: (?:no\.?|number|me at|us at|at|is|on))?[:\s]{1,3})\+?\(?\d(?:[ ()./-]{0,2}\d){6,14}(?!\w)/gi,
  // With the country.
  /(?<![\w+.-])(?:\+|00(?=[1-9]\d?\d? ))[1-9]\d{0,2}(?:[ .()/-]{0,2}\d){7,12}(?!\w)/g,
  // Area and number apart, as in North America.
  /(?<![\w.+/-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4}(?![\w-]|\.\d)/g,
  // With a leading 0, in groups, as in most of Europe.
  /(?<![\w.,:+/-])\(?0[1-9]\d{0,3}\)?[ /-]\d{3,8}(?:[ -]\d{2,5}){0,3}(?![\w-]|[.,:/]\d)/g,
];

/** As many digits as a number anybody can call. */
function phoneMark(written: string): string {
  const { length } = written.replace(/\D/g, "");
  return length >= 7 && length <= 15 && (length >= 9 || !/^\(?0/.test(written)) ? PII_MARKS.phone : written;
}
