import type { Parts } from "@/server/in-parts";

/** Differences looked at before what is found so far is kept: what bounds time and memory when two lists have little in common. */
const MOST_DIFFERENCES = 500;

/** A place in the first list and its counterpart in the second. */
export type Match = readonly [left: number, right: number];

/**
 * Pairs of equal words of two lists, in order: a longest common subsequence (Myers 1986). Lists that differ in more than
 * `MOST_DIFFERENCES` places are matched piece by piece, each as far as it gets, which need not be the longest any more.
 */
export function* matchSequences(left: readonly string[], right: readonly string[]): Parts<Match[]> {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, numbers.size);
    return numbers.size - 1;
  };
  const [a, b] = [left.map(numberOf), right.map(numberOf)];
  const matches: Match[] = [];
  let from: Match = [0, 0];
  while (from[0] < a.length && from[1] < b.length) {
    const piece = matchPiece(a, b, from);
    for (const match of piece.matches) matches.push(match);
    from = piece.end;
    yield;
  }
  return matches;
}

type Piece = { matches: Match[]; end: Match };

/** From a place on: to the end of both lists, or as far as `MOST_DIFFERENCES` lead. */
function matchPiece(a: readonly number[], b: readonly number[], from: Match): Piece {
  const [aLength, bLength] = [a.length - from[0], b.length - from[1]];
  /** How far the first list is read on each diagonal (read of the first less read of the second), for each number of differences. */
  const reached: Int32Array[] = [];
  for (let differences = 0; ; differences++) {
    const before = reached.at(-1);
    const now = new Int32Array(2 * differences + 1);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = furthestBefore(before, diagonal, differences);
      let y = x - diagonal;
      while (x < aLength && y < bLength && a[from[0] + x] === b[from[1] + y]) {
        x += 1;
        y += 1;
      }
      now[diagonal + differences] = x;
      if (x >= aLength && y >= bLength) return pieceTo([...reached, now], diagonal, from);
    }
    reached.push(now);
    if (differences === MOST_DIFFERENCES) return pieceTo(reached, furthestDiagonal(now, aLength, bLength), from);
  }
}

/** Where a diagonal begins with one difference more: below the one left of it, or right of the one above. */
function furthestBefore(before: Int32Array | undefined, diagonal: number, differences: number): number {
  if (!before) return 0;
  return isFromAbove(before, diagonal, differences)
    ? at(before, diagonal + 1, differences - 1)
    : at(before, diagonal - 1, differences - 1) + 1;
}

/** Whether the last difference is a word that only the second list has. */
function isFromAbove(before: Int32Array, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  if (diagonal === differences) return false;
  return at(before, diagonal - 1, differences - 1) < at(before, diagonal + 1, differences - 1);
}

const at = (reached: Int32Array, diagonal: number, differences: number) => reached[diagonal + differences] ?? 0;

/** The diagonal on which most of both lists was read, and not beyond their ends. */
function furthestDiagonal(reached: Int32Array, aLength: number, bLength: number): number {
  const differences = (reached.length - 1) / 2;
  let best = { diagonal: 0, read: -1 };
  for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
    const x = at(reached, diagonal, differences);
    const read = 2 * x - diagonal;
    if (x <= aLength && x - diagonal <= bLength && read > best.read) best = { diagonal, read };
  }
  return best.diagonal;
}

/** What was matched on the way to the furthest place of a diagonal. */
function pieceTo(reached: readonly Int32Array[], diagonal: number, from: Match): Piece {
  const matches: Match[] = [];
  let differences = reached.length - 1;
  let x = at(reached[differences] ?? new Int32Array(1), diagonal, differences);
  const end: Match = [from[0] + x, from[1] + x - diagonal];
  for (let on = diagonal; differences >= 0; differences--) {
    const before = reached[differences - 1];
    const start = furthestBefore(before, on, differences);
    for (; x > start; x--) matches.push([from[0] + x - 1, from[1] + x - 1 - on]);
    if (!before) break;
    on += isFromAbove(before, on, differences) ? 1 : -1;
    x = at(before, on, differences - 1);
  }
  return { matches: matches.reverse(), end };
}
