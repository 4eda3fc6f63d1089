import type { AlignedPair } from "./align-runs";

/** A place where two runs differ. `entry` is null where whole agent runs do: one has no counterpart, or they ended otherwise. */
export type Difference = { pair: number; entry: number | null };

type Timed = Difference & { atMs: number; rank: number };

/**
 * Where two runs differ, in the left run's order of time: the first is where they part. What only the right run has is placed by
 * what follows it in the left one.
 */
export function listDifferences(pairs: readonly AlignedPair[]): Difference[] {
  const found: Timed[] = [];
  const times: { begins: number; entries: readonly number[] }[] = [];
  pairs.forEach((pair, at) => {
    const above = pair.parent === null ? undefined : times[pair.parent];
    const started = above && (pair.under === null ? above.begins : above.entries[pair.under]);
    const begins = pair.left ? Date.parse(pair.left.createdAt) : (started ?? Number.POSITIVE_INFINITY);
    const ends = pair.left ? endOf(pair.left) : begins;
    const entries = timesOf(pair, ends);
    times.push({ begins, entries });
    const over = pair.parent === null ? undefined : pairs[pair.parent];
    // That an agent run has no counterpart is one difference, whatever it did and started.
    if (pair.ahead || (over && isOneSided(over))) return;
    if (isOneSided(pair)) {
      found.push({ pair: at, entry: null, atMs: begins, rank: -1 });
      return;
    }
    if (pair.state !== "same") found.push({ pair: at, entry: null, atMs: ends, rank: Number.POSITIVE_INFINITY });
    pair.entries.forEach(({ state, ahead }, entry) => {
      if (state !== "same" && !ahead) found.push({ pair: at, entry, atMs: entries[entry] ?? ends, rank: entry });
    });
  });
  return found
    .sort((a, b) => compare(a.atMs, b.atMs) || a.pair - b.pair || compare(a.rank, b.rank))
    .map(({ pair, entry }) => ({ pair, entry }));
}

const isOneSided = ({ left, right }: AlignedPair) => left === null || right === null;

/** Both may be infinite, whose difference is no number. */
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

function endOf({ finishedAt }: NonNullable<AlignedPair["left"]>): number {
  return finishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(finishedAt);
}

function timesOf({ entries }: AlignedPair, ends: number): number[] {
  const times: number[] = new Array(entries.length);
  let next = ends;
  for (let at = entries.length - 1; at >= 0; at--) {
    next = entries[at]?.left?.atMs ?? next;
    times[at] = next;
  }
  return times;
}
