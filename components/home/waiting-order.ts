import type { RequestView } from "@/server/engine/events";

export type Waiting = RequestView & {
  runTitle: string;
  /** Its run is held. */
  isHeld: boolean;
  /** It was assigned here to somebody whose requests this list does not show; it stays in its place. */
  stays?: boolean;
  /** It left the list while somebody pointed at it; what became of it is not known here. */
  gone?: boolean;
};

/**
 * The list after a newer reading. Places are kept and new requests join at the end, so that no button moves under the
 * pointer: what was answered or assigned here stays, and while `held` also what was closed elsewhere.
 */
export function mergeWaiting(shown: readonly Waiting[], open: readonly Waiting[], held: boolean): Waiting[] {
  const openById = new Map(open.map((item) => [item.id, item]));
  const known = new Set(shown.map((item) => item.id));
  const kept = shown.flatMap((item): Waiting[] => {
    if (item.status !== "open") return [item];
    const fresh = openById.get(item.id);
    if (fresh) return [{ ...fresh, ...(item.stays ? { stays: true } : {}) }];
    if (item.stays) return [item];
    return held ? [{ ...item, gone: true }] : [];
  });
  return [...kept, ...open.filter((item) => !known.has(item.id))];
}
