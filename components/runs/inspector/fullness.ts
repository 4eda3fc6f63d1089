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

/** Beside a share of a context, what it means. */
export const FULL_WORDS = { fine: "", warning: ", filling up", danger: ", nearly full" };
