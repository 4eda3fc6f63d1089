export type Matchable = { label: string };

/** Those whose label holds every typed word, in whatever order; nothing typed matches all. */
export function matching<T extends Matchable>(actions: readonly T[], query: string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter((action) => words.every((word) => action.label.toLowerCase().includes(word)));
}
