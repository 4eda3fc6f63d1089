/** Addresses of the knowledge pages. */
export function baseHref(baseId: string, tab?: string): string {
  return `/knowledge/${baseId}${tab && tab !== "documents" ? `?tab=${tab}` : ""}`;
}

/** What people call a passage: positions count from 0, marks ("handbook.pdf#12") and addresses from 1. */
export function passageNumber(position: number): number {
  return position + 1;
}

export function documentHref(baseId: string, documentId: string, position: number | null = null): string {
  return `/knowledge/${baseId}/documents/${documentId}${position === null ? "" : `#${passageNumber(position)}`}`;
}
