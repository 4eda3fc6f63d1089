import type { AgentRow } from "@/server/engine/events";
import type { AlignedEntry } from "./align-entries";
import type { AlignedPair } from "./align-runs";
import type { Difference } from "./list-differences";
import type { ComparedPair, LeftOutEntries } from "./schema";

type Sent = {
  pairs: ComparedPair[];
  leftOut: { same: number; different: number };
  /** Where an entry is among those sent of its pair. */
  placeOf: (pair: number, entry: number) => number | null;
};

/**
 * What a page is sent. Of more than `most` entries it is sent the first that differ, and how many others there are in between.
 * @param differences in order of time
 */
export function pairsToSend(pairs: readonly AlignedPair[], differences: readonly Difference[], most: number): Sent {
  const total = pairs.reduce((sum, { entries }) => sum + entries.length, 0);
  const kept = new Set(
    differences
      .filter(({ entry }) => entry !== null)
      .slice(0, most)
      .map(({ pair, entry }) => `${pair}.${entry}`),
  );
  const isSent = (pair: number, entry: number) => total <= most || kept.has(`${pair}.${entry}`);
  const places: number[][] = [];
  const leftOut = { same: 0, different: 0 };

  const sent = pairs.map((pair, at): ComparedPair => {
    const entries: ComparedPair["entries"] = [];
    const placesHere: number[] = [];
    for (const [index, entry] of pair.entries.entries()) {
      if (isSent(at, index)) entries.push(toComparedEntry(entry));
      else {
        const which = entry.state === "same" ? "same" : "different";
        stretchAtEnd(entries)[which] += 1;
        leftOut[which] += 1;
      }
      placesHere.push(entries.length - 1);
    }
    places.push(placesHere);
    return {
      ...{ state: pair.state, ahead: pair.ahead, parent: pair.parent, entries },
      left: pair.left && toComparedAgent(pair.left),
      right: pair.right && toComparedAgent(pair.right),
      under: pair.parent === null || pair.under === null ? null : (places[pair.parent]?.[pair.under] ?? null),
    };
  });
  return { pairs: sent, leftOut, placeOf: (pair, entry) => places[pair]?.[entry] ?? null };
}

/** The entries left out last, to which more are added; new ones where something else was sent since. */
function stretchAtEnd(entries: ComparedPair["entries"]): LeftOutEntries {
  const last = entries.at(-1);
  if (last?.state === "left-out") return last;
  const stretch: LeftOutEntries = { state: "left-out", same: 0, different: 0 };
  entries.push(stretch);
  return stretch;
}

function toComparedEntry({ state, ahead, left, right }: AlignedEntry): ComparedPair["entries"][number] {
  return { state, ahead, left: left?.place ?? null, right: right?.place ?? null };
}

function toComparedAgent({ id, name, status, statusReason }: AgentRow): ComparedPair["left"] {
  return { id, name, status, statusReason };
}
