/** Moves the focus to the next or previous row's link; into the list from its near end when it is elsewhere. */
export function moveRowFocus(list: HTMLElement | null, by: 1 | -1): void {
  const links: Element[] = [...(list?.querySelectorAll("a[data-row-link]") ?? [])];
  const focused = focusedRow(list)?.querySelector("a[data-row-link]");
  const here = focused ? links.indexOf(focused) : -1;
  const next = here === -1 ? (by === 1 ? 0 : links.length - 1) : here + by;
  const link = links[Math.min(Math.max(next, 0), links.length - 1)];
  if (!(link instanceof HTMLElement)) return;
  link.focus();
  link.closest("tr")?.scrollIntoView({ block: "nearest" });
}

/** The row the focus is in: on its link, or on what stands beside it. */
export function focusedRow(list: HTMLElement | null): Element | null {
  const row = document.activeElement?.closest("tr") ?? null;
  return row && list?.contains(row) && row.querySelector("a[data-row-link]") ? row : null;
}
