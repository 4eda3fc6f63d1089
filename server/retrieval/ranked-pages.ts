import { AppError } from "@/server/errors";

/** The newest of a filter that are compared with what somebody searches for, each of them exactly: somebody waits. */
export const COMPARED = 10_000;
/** As far down a list of the most alike as anybody reads. */
export const MOST_RANKED = 200;
/** Below it two texts have hardly a word in common. */
export const LEAST_SIMILARITY = 0.12;

/** Where a page of a ranked list begins: it is ordered anew for each page. Throws INVALID for a cursor that is not ours. */
export function placeOf(cursor: string | null | undefined): number {
  if (!cursor) return 0;
  const [, place] = /^ranked\.(\d{1,3})$/.exec(cursor) ?? [];
  if (!place) throw new AppError("INVALID", "This page of the list no longer exists. Open the list again.");
  return Number(place);
}

/** Of `rows` read from a place on, one more than a page holds: the page, and where the next one begins. */
export function pageFrom<T>(
  rows: readonly T[],
  place: number,
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const next = place + limit;
  return {
    items: rows.slice(0, limit),
    nextCursor: rows.length > limit && next < MOST_RANKED ? `ranked.${next}` : null,
  };
}
