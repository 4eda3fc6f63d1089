/** Rows somebody picked, and the one from which shift reaches on. */
export type RunSelection = { picked: ReadonlySet<string>; anchor: string | null };

export const NOTHING_PICKED: RunSelection = { picked: new Set(), anchor: null };

/** Picks a row or lets it go; with `reach`, every row between the last one pressed and this becomes as this one. */
export function pickRow(
  { picked, anchor }: RunSelection,
  order: readonly string[],
  { id, reach }: { id: string; reach: boolean },
): RunSelection {
  const next = new Set(picked);
  const isPicked = !picked.has(id);
  const start = reach && anchor !== null ? order.indexOf(anchor) : -1;
  const end = order.indexOf(id);
  const reached = start === -1 || end === -1 ? [id] : order.slice(Math.min(start, end), Math.max(start, end) + 1);
  for (const row of reached) {
    if (isPicked) next.add(row);
    else next.delete(row);
  }
  return { picked: next, anchor: id };
}

/** All rows that are loaded, or none once they all are picked. */
export function pickLoaded({ picked }: RunSelection, order: readonly string[]): RunSelection {
  return order.every((id) => picked.has(id))
    ? NOTHING_PICKED
    : { picked: new Set([...picked, ...order]), anchor: null };
}
