/** How endpoints put what they take at most, and what they were sent. */
const ALLOWED =
  /(?:maximum (?:context|prompt) length(?: is| of)?|maximum number of tokens allowed|context (?:size|window|length)(?: is| of)?|tokens >) ?\(?([\d,]+)/i;
const ACTUAL = /(?:resulted in|requested|request contains|too long:|token count \(?(?: is| of)?) ?([\d,]+)/i;

/** AGT-ERR-05: the tokens an endpoint names when it refuses a conversation as too long; each only where it names one. */
export function contextTokensIn(message: string): { allowedTokens?: number; actualTokens?: number } {
  const [allowedTokens, actualTokens] = [ALLOWED, ACTUAL].map((pattern) => {
    const number = Number(pattern.exec(message)?.[1]?.replaceAll(",", ""));
    return Number.isSafeInteger(number) && number > 0 ? number : undefined;
  });
  return { ...(allowedTokens ? { allowedTokens } : {}), ...(actualTokens ? { actualTokens } : {}) };
}
