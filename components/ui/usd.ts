/** US dollars as people type them, and integer nano-USD. Digits are moved, never multiplied: no float takes part. */

const DECIMALS = 9;

/** Stands for text that is no amount, so that a form never takes it for "none": whatever an amount is for refuses it. */
export const UNREADABLE_USD = -1;
export const UNREADABLE_USD_WORDS = `US dollars with a point, such as 0.25, and at most ${DECIMALS} decimals.`;

/** "0.25" → 250000000; null for nothing. A comma is refused: to some it is a point, to others it parts thousands. */
export function readUsd(typed: string): number | null {
  const text = typed.trim().replace(/^\$\s*/, "");
  if (text === "") return null;
  const [, whole = "", fraction = ""] = /^(\d*)\.?(\d*)$/.exec(text) ?? [];
  const rest = fraction.replace(/0+$/, "");
  if (whole + fraction === "" || rest.length > DECIMALS) return UNREADABLE_USD;
  const nanoUsd = Number(whole + rest.padEnd(DECIMALS, "0"));
  return Number.isSafeInteger(nanoUsd) ? nanoUsd : UNREADABLE_USD;
}

/** 250000000 → "0.25", as it is typed; "" for none. */
export function writeUsd(nanoUsd: number | null): string {
  if (nanoUsd === null || nanoUsd < 0) return "";
  const digits = String(nanoUsd).padStart(DECIMALS + 1, "0");
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, "");
  return digits.slice(0, -DECIMALS) + (fraction && `.${fraction}`);
}
