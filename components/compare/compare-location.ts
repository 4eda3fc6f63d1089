/** Which runs the address names, and which row of theirs is picked. */
export type CompareLocation = { left: string | null; right: string | null; at: string | null };

export function readCompareLocation(get: (name: string) => string | null): CompareLocation {
  return { left: get("left") || null, right: get("right") || null, at: get("at") || null };
}

/** The page that sets two runs side by side; with one of them it asks for the other. */
export function compareHref({ left, right, at }: Partial<CompareLocation>): string {
  const params = new URLSearchParams();
  if (left) params.set("left", left);
  if (right) params.set("right", right);
  if (at) params.set("at", at);
  const query = params.toString();
  return query ? `/runs/compare?${query}` : "/runs/compare";
}
