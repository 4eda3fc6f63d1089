import { expect, type Page } from "@playwright/test";
import { settled } from "./settled";

/** Keys of a run that is under way: a workspace whose runs have all ended cannot try them. */
export const UNDER_WAY = [
  "In a run: move: Jump to the live edge",
  "In a run: see and act: Go to the selected request's answers",
  "In a run: see and act: Pause or resume the run",
  "In a run: see and act: Stop the run",
];

/** Keys of two runs that differ: tried where there are such, in runs-compare.spec.ts. */
export const COMPARING = [
  "Comparing two runs: Next or previous difference",
  "Comparing two runs: Next or previous row",
  "Comparing two runs: Open both sides, or unfold what is the same",
];

/** Keys of a run of several agents: tried in runs-views.spec.ts. */
export const IN_THE_GRAPH = [
  "In the graph of a run: Agent run it started, or that started it",
  "In the graph of a run: Agent run below or above it",
  "In the graph of a run: Show its details",
];

/**
 * What each other line of the keyboard sheet promises, tried in this order, by "Group: what it does". A workspace with a few runs
 * and a team of three is needed; the last trial leaves the page on the list of runs.
 */
export function keyboardTrials(page: Page): Record<string, () => Promise<void>> {
  const selectedRow = () => page.getByRole("treegrid").locator('[role="row"][aria-selected="true"]');
  const rowCount = async () => Number(await page.getByRole("treegrid").getAttribute("aria-rowcount"));
  const runEntries = () => page.getByRole("main").locator("a[data-row-link]");

  const zoom = () => new URL(page.url()).searchParams.get("zoom");
  return {
    "Everywhere: Search or do": async () => {
      await page.goto("/runs");
      await settled(page);
      await page.keyboard.press("ControlOrMeta+k");
      await expect(page.getByPlaceholder("Search, or type what to do")).toBeFocused();
    },
    "Everywhere: Close what lies over the page": async () => {
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
    "Everywhere: This sheet": async () => {
      await page.keyboard.press("Shift+?");
      await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
    "Everywhere: Search on this page": async () => {
      await page.keyboard.press("/");
      await expect(page.getByLabel("Search runs")).toBeFocused();
      await page.getByLabel("Search runs").blur();
    },
    "Lists of runs and conversations: Next or previous entry": async () => {
      await page.keyboard.press("j");
      await expect(runEntries().first()).toBeFocused();
      await page.keyboard.press("j");
      await expect(runEntries().nth(1)).toBeFocused();
      await page.keyboard.press("k");
      await expect(runEntries().first()).toBeFocused();
    },
    "Lists of runs and conversations: The same among runs": async () => {
      await page.keyboard.press("ArrowDown");
      await expect(runEntries().nth(1)).toBeFocused();
      await page.keyboard.press("ArrowUp");
      await expect(runEntries().first()).toBeFocused();
    },
    "Lists of runs and conversations: Select the run": async () => {
      const box = page.getByRole("checkbox", { name: /^Select “/ }).first();
      await page.keyboard.press("x");
      await expect(box).toBeChecked();
      await page.keyboard.press("x");
      await expect(box).not.toBeChecked();
    },
    "Lists of runs and conversations: Open it": async () => {
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await expect(page.getByRole("treegrid")).toBeVisible();
    },
    "In a run: move: Root of the run": async () => {
      await page.keyboard.press("e");
      await page.keyboard.press("t");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "2");
    },
    "In a run: move: Next or previous row": async () => {
      await page.keyboard.press("ArrowDown");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "3");
      await page.keyboard.press("ArrowUp");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "2");
    },
    "In a run: move: First or last row": async () => {
      await page.keyboard.press("End");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", String(await rowCount()));
      await page.keyboard.press("Home");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "2");
    },
    "In a run: move: Fold, unfold, or go to the parent": async () => {
      await page.keyboard.press("ArrowLeft");
      await expect(selectedRow()).toHaveAttribute("aria-expanded", "false");
      await page.keyboard.press("ArrowRight");
      await expect(selectedRow()).toHaveAttribute("aria-expanded", "true");
    },
    "In a run: move: Parent": async () => {
      await page.keyboard.press("ArrowDown");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "3");
      await page.keyboard.press("p");
      await expect(selectedRow()).toHaveAttribute("aria-rowindex", "2");
    },
    "In a run: move: Next or previous agent run beside it": async () => {
      await page.keyboard.press("e");
      const agents = page.getByRole("treegrid").locator('[role="row"].k-agent');
      expect(await agents.count()).toBeGreaterThan(1);
      await agents.first().click();
      await page.keyboard.press("]");
      await expect(agents.nth(1)).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("[");
      await expect(agents.first()).toHaveAttribute("aria-selected", "true");
    },
    "In a run: move: Fold to agent runs": async () => {
      const unfolded = await rowCount();
      await page.keyboard.press("w");
      await expect.poll(rowCount).toBeLessThan(unfolded);
    },
    "In a run: move: Unfold all": async () => {
      const folded = await rowCount();
      await page.keyboard.press("e");
      await expect.poll(rowCount).toBeGreaterThan(folded);
    },
    "In a run: see and act: Decisions only": async () => {
      await page.keyboard.press("d");
      await expect(page).toHaveURL(/show=decisions/);
      await page.keyboard.press("d");
      await expect(page).not.toHaveURL(/show=/);
    },
    "In a run: see and act: Failures only": async () => {
      await page.keyboard.press("f");
      await expect(page).toHaveURL(/show=failed/);
      await page.keyboard.press("f");
      await expect(page).not.toHaveURL(/show=/);
    },
    "In a run: see and act: Details tab": async () => {
      await page.keyboard.press("t");
      await page.keyboard.press("7");
      await expect(page.getByRole("tab", { name: "Raw" })).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("1");
      await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
    },
    "In a value (JSON) of a run: Next or previous line": async () => {
      await page.getByRole("tab", { name: "Raw" }).click();
      const lines = page.getByRole("tree", { name: "Value" }).getByRole("treeitem");
      await lines.first().focus();
      await page.keyboard.press("ArrowDown");
      await expect(lines.nth(1)).toBeFocused();
      await page.keyboard.press("ArrowUp");
      await expect(lines.first()).toBeFocused();
    },
    "In a value (JSON) of a run: Copy what it holds": async () => {
      await page.evaluate(() => {
        addEventListener(
          "copy",
          (event) => document.body.setAttribute("data-copied", event.clipboardData?.getData("text/plain") ?? ""),
          { once: true },
        );
      });
      await page.keyboard.press("ControlOrMeta+c");
      await expect(page.locator("body")).toHaveAttribute("data-copied", /^[0-9a-f-]{36}$/);
    },
    "In a value (JSON) of a run: Unfold it, or fold it or what it is in": async () => {
      // The event of a new agent run holds more than lines.
      await page.getByRole("tab", { name: "Events" }).click();
      await page.locator(".event > summary", { hasText: "agent.created" }).first().press("Enter");
      const folds = page.getByRole("tree", { name: "Value" }).locator("[aria-expanded]");
      await folds.first().focus();
      await expect(folds.first()).toHaveAttribute("aria-expanded", "true");
      await page.keyboard.press("ArrowLeft");
      await expect(folds.first()).toHaveAttribute("aria-expanded", "false");
      await page.keyboard.press("ArrowRight");
      await expect(folds.first()).toHaveAttribute("aria-expanded", "true");
      await page.keyboard.press("1");
    },
    "In a run: see and act: Show or hide the details": async () => {
      await page.keyboard.press("i");
      await expect(page.getByRole("tab", { name: "Raw" })).toHaveCount(0);
      await page.keyboard.press("i");
      await expect(page.getByRole("tab", { name: "Raw" })).toBeVisible();
    },
    "In a run: see and act: Next or previous view of the run": async () => {
      await page.keyboard.press("v");
      await expect(page).toHaveURL(/view=conversation/);
      await page.keyboard.press("b");
      await expect(page).not.toHaveURL(/view=/);
    },
    "In a run: see and act: Zoom the time in or out": async () => {
      await page.keyboard.press("+");
      await expect.poll(zoom).not.toBeNull();
      const half = zoom();
      await page.keyboard.press("+");
      await expect.poll(zoom).not.toBe(half);
      const quarter = zoom();
      await page.keyboard.press("-");
      await expect.poll(zoom).not.toBe(quarter);
    },
    "In a run: see and act: Earlier or later, while zoomed": async () => {
      const middle = zoom();
      await page.keyboard.press("Shift+ArrowLeft");
      await expect.poll(zoom).not.toBe(middle);
      const earlier = zoom();
      await page.keyboard.press("Shift+ArrowRight");
      await expect.poll(zoom).not.toBe(earlier);
    },
    "In a run: see and act: Zoom the time to the selected row": async () => {
      const before = zoom();
      // Of a run this short the last row and its surroundings may be all of it.
      await page.keyboard.press("End");
      await page.keyboard.press("z");
      await expect.poll(zoom).not.toBe(before);
      await page.keyboard.press("+");
      await expect.poll(zoom).not.toBeNull();
    },
    "In a run: see and act: Back to the whole time": async () => {
      await page.keyboard.press("Escape");
      await expect(page).not.toHaveURL(/zoom=/);
    },
    "In a run: see and act: Run it again": async () => {
      await page.keyboard.press("r");
      await expect(page.getByRole("dialog", { name: "Run again" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
    "In a run: see and act: Retry from the selected step": async () => {
      await page.keyboard.press("End");
      await page.keyboard.press("1");
      await expect(page.getByRole("button", { name: "Retry from here…" })).toBeVisible();
      await page.keyboard.press("y");
      await expect(page.getByRole("dialog", { name: "Retry from this step" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
    "In a run: see and act: Older or newer run, as the list was last filtered": async () => {
      const newest = page.url().replace(/[?].*$/, "");
      await page.keyboard.press("j");
      await expect(page).not.toHaveURL(new RegExp(`^${newest}`));
      await expect(page.getByRole("treegrid")).toBeVisible();
      await page.keyboard.press("k");
      await expect(page).toHaveURL(new RegExp(`^${newest}`));
      await expect(page.getByRole("treegrid")).toBeVisible();
      await page.keyboard.press("k");
      await expect(page.getByText("This is the newest run of the list.")).toBeVisible();
    },
    "Everywhere: Send or start what you wrote": async () => {
      await page.goto("/conversations/new");
      await page.getByRole("main").locator(".choice").last().click();
      await page.getByLabel("Your question").fill("What is known?");
      await page.keyboard.press("ControlOrMeta+Enter");
      await page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
    },
    "Editing agents and teams: Save the draft": async () => {
      await page.goto("/teams");
      await page.getByRole("main").locator("tr[data-link] a").first().click();
      await page.getByRole("textbox", { name: "Purpose" }).or(page.getByLabel("Description")).first().fill("Shorter.");
      await page.keyboard.press("ControlOrMeta+s");
      await expect(page.getByText(/^Draft saved/)).toBeVisible();
    },
    "Editing agents and teams: Next or previous place in the tree": async () => {
      await page.getByRole("treeitem").first().focus();
      await page.keyboard.press("ArrowDown");
      await expect(page.getByRole("treeitem").nth(1)).toBeFocused();
      await page.keyboard.press("ArrowUp");
      await expect(page.getByRole("treeitem").first()).toBeFocused();
    },
    "Editing agents and teams: First or last place": async () => {
      await page.keyboard.press("End");
      await expect(page.getByRole("treeitem").last()).toBeFocused();
      await page.keyboard.press("Home");
      await expect(page.getByRole("treeitem").first()).toBeFocused();
    },
    "Editing agents and teams: Supervisor, or first agent below": async () => {
      await page.keyboard.press("ArrowRight");
      await expect(page.getByRole("treeitem").nth(1)).toBeFocused();
      await page.keyboard.press("ArrowLeft");
      await expect(page.getByRole("treeitem").first()).toBeFocused();
    },
    "Editing agents and teams: Move the place up or down": async () => {
      const names = () => page.getByRole("treeitem").allInnerTexts();
      const before = await names();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Alt+ArrowDown");
      // The second of three: one place down is below its neighbour.
      await expect.poll(names).toEqual([before[0], before[2], before[1]]);
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(names).toEqual(before);
    },
    "Editing agents and teams: Remove the place": async () => {
      const before = await page.getByRole("treeitem").count();
      await page.getByRole("treeitem").last().focus();
      await page.keyboard.press("Delete");
      const dialog = page.getByRole("dialog");
      if (await dialog.isVisible()) await dialog.getByRole("button", { name: /Remove/ }).click();
      await expect(page.getByRole("treeitem")).toHaveCount(before - 1);
      await page.getByRole("link", { name: "Runs" }).first().click();
      await page.getByRole("button", { name: "Discard changes" }).click();
      await page.waitForURL(/\/runs$/);
    },
  };
}
