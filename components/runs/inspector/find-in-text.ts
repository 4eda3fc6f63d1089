/** Above this marks cost more than they help. */
export const MOST_FOUND = 1_000;

/** Where a text stands in pieces that follow each other, large or small letters alike; each as piece and offset of its start and end. */
export type Found = { from: { piece: number; offset: number }; to: { piece: number; offset: number } };

export function findInPieces(pieces: readonly string[], sought: string): Found[] {
  const needle = sought.trim();
  if (needle === "") return [];
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length;
  }
  const placeOf = (at: number, isEnd: boolean) => {
    let piece = starts.findLastIndex((start) => (isEnd ? start < at : start <= at));
    // Empty pieces hold nothing of it.
    while (!isEnd && piece > 0 && pieces[piece] === "") piece -= 1;
    return { piece: Math.max(piece, 0), offset: at - (starts[Math.max(piece, 0)] ?? 0) };
  };
  const pattern = new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const found: Found[] = [];
  for (const match of pieces.join("").matchAll(pattern)) {
    found.push({ from: placeOf(match.index, false), to: placeOf(match.index + match[0].length, true) });
    if (found.length >= MOST_FOUND) break;
  }
  return found;
}
