/** A page of what was asked for with one row more than it holds: whether there is another, and where it begins. */
export function pageOf<T>(rows: readonly T[], size: number, offset: number): { items: T[]; nextCursor: number | null } {
  return { items: rows.slice(0, size), nextCursor: rows.length > size ? offset + size : null };
}
