/** Unfolds the section of a field, shows it and puts the focus in it. False when no element bears that field. */
export function jumpToField(field: string): boolean {
  const found = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  if (!found) return false;
  for (let fold = found.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
  found.scrollIntoView({ block: "center" });
  const control = found.matches("input, textarea, button, select")
    ? found
    : found.querySelector<HTMLElement>("input:not([type=hidden]), textarea, button, select");
  control?.focus({ preventScroll: true });
  return true;
}
