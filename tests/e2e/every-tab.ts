import type { Page } from "@playwright/test";
import { expect, rowsOf } from "./installation";

const TABS = ["Overview", "Input", "Output", "Decision", "Cost", "Events", "Raw"] as const;
const TABS_OF_MODEL_CALL = TABS.map((tab) => (tab === "Input" ? "Prompt" : tab));
/** Of each row, by what its icon is called. */
const TABS_BY_KIND: Record<string, readonly string[]> = {
  "Model call": TABS_OF_MODEL_CALL,
  "Model call that condenses": TABS_OF_MODEL_CALL,
  "Tool call": TABS,
  "Search in knowledge": TABS,
  "Human request": TABS,
  "Agent run": TABS,
  "Root agent run": TABS,
  Decision: ["Decision", "Events", "Raw"],
};
/** Of an agent that has such. */
const NOW_AND_THEN = ["Tasks", "Mail"];

export type OpenedTab = { kind: string; row: string; tab: string };

/**
 * Opens every tab of every row of the run on screen, and in it whatever is folded; `look` is called with each. A row that has other
 * tabs than its kind is meant to have fails the test: nothing is passed over because it is called something else by now.
 */
export async function openEveryTab(page: Page, look: (opened: OpenedTab) => Promise<void>): Promise<OpenedTab[]> {
  const rows = (await rowsOf(page)) - 1;
  const tree = page.getByRole("treegrid");
  const details = page.getByRole("complementary", { name: "Details" });
  const opened: OpenedTab[] = [];
  await tree.focus();
  await page.keyboard.press("Home");
  // Only the rows on screen exist: they are gone through with the keyboard.
  for (let nth = 0; nth < rows; nth++) {
    if (nth > 0) {
      await tree.focus();
      await page.keyboard.press("ArrowDown");
    }
    const row = tree.locator(`[role=row][aria-rowindex="${nth + 2}"]`);
    await expect(row).toHaveAttribute("aria-selected", "true");
    const kind = (await row.getByRole("img").first().getAttribute("aria-label")) ?? "";
    const words = (await row.innerText()).replace(/\s+/g, " ");
    const tabs = details.getByRole("tab");
    await expect
      .poll(async () => (await tabs.allInnerTexts()).filter((tab) => !NOW_AND_THEN.includes(tab)), `${kind}: ${words}`)
      .toEqual(TABS_BY_KIND[kind]);
    for (const tab of await tabs.allInnerTexts()) {
      await details.getByRole("tab", { name: tab, exact: true }).click();
      await page.waitForFunction(isUnfolded, tab);
      const one = { kind, row: words, tab };
      opened.push(one);
      await look(one);
    }
  }
  return opened;
}

/** Runs in the page, until the tab is chosen and loaded and nothing in it is folded any more: what is unfolded may hold more of the kind. */
function isUnfolded(tab: string): boolean {
  const details = document.querySelector("aside[aria-label=Details]");
  const chosen = details?.querySelector("[role=tab][aria-selected=true]");
  const panel = details?.querySelector("[role=tabpanel]");
  if (
    !panel?.hasChildNodes() ||
    chosen?.textContent !== tab ||
    panel.querySelector("[role=status][aria-label^=Loading]")
  )
    return false;
  const folded = [...panel.querySelectorAll("details:not([open]) > summary")];
  const values = [...panel.querySelectorAll("[aria-label='Unfold the whole value']:not([data-pressed])")];
  for (const each of [...folded, ...values]) {
    if (values.includes(each)) each.setAttribute("data-pressed", "");
    if (each instanceof HTMLElement) each.click();
  }
  return folded.length + values.length === 0;
}
