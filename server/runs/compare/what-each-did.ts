import type { AlignedEntry } from "./align-entries";
import type { AlignedPair } from "./align-runs";
import type { Difference } from "./list-differences";
import type { Entry } from "./list-entries";

/** What a run did at a place. `isNext`: it has nothing there; this is what it did next, of that kind. Null: nor anything later. */
type Did = { entry: Entry | null; isNext: boolean };

/** What each run did where they differ; of one that did nothing at the place, what came next there: that is what it did instead. */
export function whatEachDid(pairs: readonly AlignedPair[], { pair, entry }: Difference): { left: Did; right: Did } {
  const entries = pairs[pair]?.entries ?? [];
  const here = entry === null ? undefined : entries[entry];
  const onSide = (side: "left" | "right"): Did => {
    if (here === undefined || entry === null) return { entry: null, isNext: false };
    if (here[side]) return { entry: here[side], isNext: false };
    const role = (here.left ?? here.right)?.role;
    const isAlike = (each: AlignedEntry) => each[side]?.role === role;
    return { entry: entries.slice(entry + 1).find(isAlike)?.[side] ?? null, isNext: true };
  };
  return { left: onSide("left"), right: onSide("right") };
}
