import type { ComparedEntry, ComparedPair, LeftOutEntries } from "@/server/runs/compare/schema";

/** Fewer of the same than this are shown: a line that says so would take as much room. */
const FEWEST_FOLDED = 3;

type At = { key: string; depth: number };
export type CompareRow = At &
  (
    | {
        type: "agent";
        pair: ComparedPair;
        isDifference: boolean;
        /** Rows it can hide; 0: it has none, or some of them differ. */
        hides: number;
        unfolded: boolean;
      }
    | { type: "entry"; pair: ComparedPair; entry: ComparedEntry; isDifference: boolean }
    /** Entries one after the other that are the same, or that the run at work has not come to. */
    | { type: "stretch"; of: "same" | "ahead"; count: number; unfolded: boolean }
    | { type: "left-out"; entries: LeftOutEntries }
  );

export const pairKey = (pair: number) => `a${pair}`;
export const entryKey = (pair: number, entry: number) => `${pair}.${entry}`;

/** The rows to show, in order. What is the same is folded unless its key is among `unfolded`; what differs never is. */
export function listCompareRows(pairs: readonly ComparedPair[], unfolded: ReadonlySet<string>): CompareRow[] {
  const below = childrenOf(pairs);
  const isQuiet = quietPairs(pairs, below);
  const rows: CompareRow[] = [];

  const showPair = (at: number, depth: number) => {
    const pair = pairs[at];
    if (!pair) return;
    const key = pairKey(at);
    const isOneSided = pair.left === null || pair.right === null;
    const isFoldable = isOneSided || isQuiet(at);
    const hides = isFoldable ? countRows(pairs, below, at) : 0;
    const isOpen = !isFoldable || unfolded.has(key);
    const isDifference = !pair.ahead && pair.state !== "same" && !isBelowOneSided(pairs, pair);
    rows.push({ type: "agent", key, depth, pair, isDifference, hides, unfolded: isOpen });
    if (isOpen) showEntries(at, depth + 1, isOneSided);
  };

  const showEntries = (at: number, depth: number, isOneSided: boolean) => {
    const pair = pairs[at];
    if (!pair) return;
    const started = startedBy(pairs, below.get(at) ?? []);
    const childrenUnder = (entry: number | null) => started.get(entry) ?? [];
    const show = (entry: number) => {
      const told = pair.entries[entry];
      if (!told) return;
      const key = entryKey(at, entry);
      if (told.state === "left-out") rows.push({ type: "left-out", key, depth, entries: told });
      else {
        const isDifference = told.state !== "same" && !told.ahead && !isOneSided;
        rows.push({ type: "entry", key, depth, pair, entry: told, isDifference });
      }
      for (const child of childrenUnder(entry)) showPair(child, depth + 1);
    };
    let entry = 0;
    while (entry < pair.entries.length) {
      const to = isOneSided ? entry : endOfStretch(pair, entry, (each) => childrenUnder(each).every(isQuiet));
      if (to - entry < FEWEST_FOLDED) {
        show(entry++);
        continue;
      }
      const key = `f${entryKey(at, entry)}`;
      const of = stretchKind(pair.entries[entry]) ?? "same";
      rows.push({ type: "stretch", key, depth, of, count: to - entry, unfolded: unfolded.has(key) });
      if (unfolded.has(key)) for (; entry < to; entry++) show(entry);
      entry = to;
    }
    for (const child of childrenUnder(null)) showPair(child, depth);
  };

  pairs.forEach((pair, at) => {
    if (pair.parent === null) showPair(at, 0);
  });
  return rows;
}

/** Keys of the rows one walks with "next difference". */
export function differencesIn(rows: readonly CompareRow[]): string[] {
  return rows.flatMap((row) => ("isDifference" in row && row.isDifference ? [row.key] : []));
}

function childrenOf(pairs: readonly ComparedPair[]): Map<number, number[]> {
  const below = new Map<number, number[]>();
  pairs.forEach(({ parent }, at) => {
    if (parent !== null) below.set(parent, [...(below.get(parent) ?? []), at]);
  });
  return below;
}

/** Agent runs by the entry that started them. */
function startedBy(pairs: readonly ComparedPair[], children: readonly number[]): Map<number | null, number[]> {
  const started = new Map<number | null, number[]>();
  for (const child of children) {
    const under = pairs[child]?.under ?? null;
    started.set(under, [...(started.get(under) ?? []), child]);
  }
  return started;
}

/** Whether nothing differs in an agent run, nor below it. Those below come later in the list. */
function quietPairs(pairs: readonly ComparedPair[], below: ReadonlyMap<number, readonly number[]>) {
  const quiet: boolean[] = new Array(pairs.length);
  for (let at = pairs.length - 1; at >= 0; at--) {
    const pair = pairs[at];
    const isQuietIn = (entries: ComparedPair["entries"]) =>
      entries.every((entry) => stretchKind(entry) !== null || (entry.state === "left-out" && entry.different === 0));
    quiet[at] =
      pair !== undefined &&
      (pair.ahead ||
        (pair.state === "same" && isQuietIn(pair.entries) && (below.get(at) ?? []).every((child) => quiet[child])));
  }
  return (at: number) => quiet[at] === true;
}

/** What entries are folded together as; null: they are shown. */
function stretchKind(entry: ComparedPair["entries"][number] | undefined): "same" | "ahead" | null {
  if (entry === undefined || entry.state === "left-out") return null;
  if (entry.ahead) return "ahead";
  return entry.state === "same" ? "same" : null;
}

/** Where a stretch that begins at an entry ends. */
function endOfStretch({ entries }: ComparedPair, from: number, isQuietAt: (entry: number) => boolean): number {
  const kind = stretchKind(entries[from]);
  let to = from;
  while (kind !== null && stretchKind(entries[to]) === kind && isQuietAt(to)) to += 1;
  return to;
}

function countRows(pairs: readonly ComparedPair[], below: ReadonlyMap<number, readonly number[]>, at: number): number {
  const own = (pairs[at]?.entries ?? []).reduce(
    (sum, entry) => sum + (entry.state === "left-out" ? entry.same + entry.different : 1),
    0,
  );
  return (below.get(at) ?? []).reduce((sum, child) => sum + 1 + countRows(pairs, below, child), own);
}

/** That its parent has no counterpart says it for those below. */
function isBelowOneSided(pairs: readonly ComparedPair[], { parent }: ComparedPair): boolean {
  const above = parent === null ? undefined : pairs[parent];
  return above !== undefined && (above.left === null || above.right === null);
}
