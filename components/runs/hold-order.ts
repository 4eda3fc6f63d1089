type Row = { id: string };

/**
 * Rows for a reader who points at the list: new facts in the old places. Rows that left the list stay, rows further
 * down (the next page) are added, and rows that would push in above are only counted.
 */
export function holdOrder<T extends Row>(shown: readonly T[], fresh: readonly T[]): { rows: T[]; withheld: number } {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const known = new Set(shown.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id));
  const below = fresh.slice(lastKnown + 1);
  const rows = [...shown.map((row) => byId.get(row.id) ?? row), ...(lastKnown === -1 ? [] : below)];
  const withheld = fresh.slice(0, lastKnown === -1 ? undefined : lastKnown).filter((row) => !known.has(row.id)).length;
  return { rows, withheld };
}
