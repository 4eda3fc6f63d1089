import type { Parts } from "@/server/in-parts";
import type { Entry } from "./list-entries";
import { type Match, matchSequences } from "./match-sequences";
import type { PairState } from "./schema";

export type AlignedEntry = {
  state: PairState;
  /** The other run is still at work and may yet come to it. */
  ahead: boolean;
  left: Entry | null;
  right: Entry | null;
};

type Sides = {
  left: readonly Entry[];
  right: readonly Entry[];
  /** More may follow on that side. */
  leftGoesOn: boolean;
  rightGoesOn: boolean;
  /** Position at which one was retried from the other: what either chose there is one place, whatever it did later. Null: nowhere. */
  partedAt: number | null;
};

/**
 * Steps and decisions of two agent runs side by side, in order of position. First what did the same is matched; between those, what
 * is at the same kind of place.
 */
export function* alignEntries({ left, right, leftGoesOn, rightGoesOn, partedAt }: Sides): Parts<AlignedEntry[]> {
  const parting = partingOf(left, right, partedAt);
  const [l0, r0] = parting ?? [0, 0];
  const [l1, r1] = parting ? [l0 + 1, r0 + 1] : [0, 0];
  const before = yield* matchExactly(left.slice(0, l0), right.slice(0, r0));
  const after = yield* matchExactly(left.slice(l1), right.slice(r1));
  const exact = [...before, ...(parting ? [parting] : []), ...after.map(([i, j]): Match => [l1 + i, r1 + j])];
  const matches = yield* matchBetween(left, right, exact);
  const aligned: AlignedEntry[] = [];
  let [l, r] = [0, 0];
  for (const [atLeft, atRight] of [...matches, [left.length, right.length] as const]) {
    for (; l < atLeft; l++) aligned.push({ state: "only-left", ahead: false, left: left[l] ?? null, right: null });
    for (; r < atRight; r++) aligned.push({ state: "only-right", ahead: false, left: null, right: right[r] ?? null });
    const [leftEntry, rightEntry] = [left[l++], right[r++]];
    if (leftEntry && rightEntry) aligned.push(aPair(leftEntry, rightEntry));
  }
  if (leftGoesOn) markAhead(aligned, "left");
  if (rightGoesOn) markAhead(aligned, "right");
  return aligned;
}

function matchExactly(left: readonly Entry[], right: readonly Entry[]): Parts<Match[]> {
  return matchSequences(
    left.map(({ signature }) => signature),
    right.map(({ signature }) => signature),
  );
}

/** The first choice of each at a position, if they are choices of one kind. */
function partingOf(left: readonly Entry[], right: readonly Entry[], position: number | null): Match | null {
  const choiceAt = (entries: readonly Entry[]) =>
    entries.findIndex(({ place }) => place.type === "decision" && place.position === position);
  const [l, r] = [choiceAt(left), choiceAt(right)];
  return l >= 0 && r >= 0 && left[l]?.role === right[r]?.role ? [l, r] : null;
}

function aPair(left: Entry, right: Entry): AlignedEntry {
  const same = left.signature === right.signature && left.outcome === right.outcome;
  return { state: same ? "same" : "changed", ahead: false, left, right };
}

/** The matches, and between each two of them those of places of one kind. */
function* matchBetween(left: readonly Entry[], right: readonly Entry[], matches: readonly Match[]): Parts<Match[]> {
  const all: Match[] = [];
  let [l, r] = [0, 0];
  for (const match of [...matches, null]) {
    const [toLeft, toRight] = match ?? [left.length, right.length];
    if (toLeft > l && toRight > r) {
      const inGap = yield* matchSequences(
        left.slice(l, toLeft).map(({ role }) => role),
        right.slice(r, toRight).map(({ role }) => role),
      );
      for (const [i, j] of inGap) all.push([l + i, r + j]);
    }
    if (match) all.push(match);
    [l, r] = [toLeft + 1, toRight + 1];
  }
  return all;
}

/** What follows the last entry of a side that is still at work. */
function markAhead(aligned: readonly AlignedEntry[], side: "left" | "right"): void {
  for (const entry of [...aligned].reverse()) {
    if (entry[side] !== null) return;
    entry.ahead = true;
  }
}
