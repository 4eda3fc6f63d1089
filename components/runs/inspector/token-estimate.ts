/** Chinese, Japanese and Korean write about a word with each character. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, estimated: four characters of Latin text make one, and each of Chinese, Japanese or Korean is one (TID-TOK-01). */
export function estimateTokensOf(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0;
  return Math.ceil((text.length - cjk) / CHARACTERS_PER_TOKEN) + cjk;
}

/** Shares of a model's context window from which the meter warns (TID-TOK-03). */
const WARNING_SHARE = 0.75;
const DANGER_SHARE = 0.9;

/** How full a context window is. */
export function fullness(
  tokens: number,
  contextTokens: number,
): { share: number; level: "fine" | "warning" | "danger" } {
  const share = contextTokens > 0 ? tokens / contextTokens : 0;
  return { share, level: share >= DANGER_SHARE ? "danger" : share >= WARNING_SHARE ? "warning" : "fine" };
}
