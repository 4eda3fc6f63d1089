/** Pieces of a text of at most `most` characters. No piece ends inside a surrogate pair: Postgres takes no half of one. */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + most, text.length);
    if (to < text.length && to - 1 > from && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
