/** Where a long stretch of text is best cut. All of them look at a bounded window, so that long lines cost no more. */

const SENTENCE_END = /[.!?…][\p{Pe}\p{Pf}"']*\s|[。！？]/gu;
const ROUGHLY = 0.5;

/**
 * The end of a piece that begins at `from` and is at most `most` long: after a line or a sentence in its later half, else
 * between two words, else, in a word longer than all that, between two characters.
 */
export function cutBefore(text: string, from: number, to: number, most: number): number {
  if (to - from <= most) return to;
  const window = text.slice(from, from + most + 1);
  const least = Math.floor(most * ROUGHLY);
  const line = window.lastIndexOf("\n");
  if (line >= least) return from + line + 1;
  const sentence = lastEnd(window, most);
  if (sentence >= least) return from + sentence;
  for (let at = window.length - 1; at > 0; at--) if (/\s/.test(window.charAt(at))) return from + at;
  return from + most - (isHighSurrogate(text.charCodeAt(from + most - 1)) ? 1 : 0);
}

/** Where to begin again so that the last sentence or two before `end` are repeated: at most `most` characters back. */
export function overlapBefore(text: string, from: number, end: number, most: number): number {
  const earliest = Math.max(from, end - most);
  if (earliest === from) return end;
  const window = text.slice(earliest, end).trimEnd();
  SENTENCE_END.lastIndex = 0;
  const sentence = SENTENCE_END.exec(window);
  if (sentence) return firstWord(text, earliest + sentence.index + sentence[0].length, end);
  const line = window.indexOf("\n");
  return line >= 0 ? firstWord(text, earliest + line, end) : end;
}

function firstWord(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && /\s/.test(text.charAt(at))) at++;
  return at;
}

function lastEnd(window: string, most: number): number {
  let last = -1;
  for (const match of window.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (end <= most) last = end;
  }
  return last;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
