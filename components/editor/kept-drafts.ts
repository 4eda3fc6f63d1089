/**
 * What somebody typed and did not save, by editor, for the life of the tab: leaving by a way that cannot be asked about
 * (the back button, the palette) loses nothing. Only ever filled in a browser, by an editor that unmounts.
 */
const kept = new Map<string, unknown>();

export function keepDraft(key: string, draft: unknown): void {
  kept.set(key, draft);
}

export function findKeptDraft<Draft>(key: string): Draft | null {
  return (kept.get(key) as Draft | undefined) ?? null;
}

export function forgetKeptDraft(key: string): void {
  kept.delete(key);
}
