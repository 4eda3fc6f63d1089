import type { Page } from "@playwright/test";
import { LOOK_WORDS, RUN_LOOKS } from "@/components/runs/run-looks";
import { expectAccessible, expectAccessibleInBoth } from "./accessible";
import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  Installation,
  startDemoRun,
  test,
  treeOf,
} from "./installation";
import { settled } from "./settled";

const tab = (page: Page, name: string) =>
  page.getByRole("tablist", { name: "Views of the run" }).getByRole("tab", { name });
const look = (page: Page) => page.getByRole("region", { name: "View of the run" });

/** What shows that a view has what the demo run holds. */
const HOLDS: Record<Exclude<(typeof RUN_LOOKS)[number], "steps">, (page: Page) => Promise<void>> = {
  conversation: async (page) => {
    await expect(look(page).getByRole("listitem").filter({ hasText: "Task" }).first()).toBeVisible();
    await expect(look(page).getByText("Question", { exact: true }).first()).toBeVisible();
  },
  graph: async (page) => {
    await expect(look(page).locator("[data-node]")).not.toHaveCount(0);
    await expect(page.getByRole("slider", { name: "Event" })).toBeEnabled();
  },
  cost: async (page) => {
    await expect(page.getByRole("region", { name: "By agent" }).getByRole("row")).not.toHaveCount(1);
    await expect(page.getByRole("region", { name: "What took how long" }).getByRole("row")).not.toHaveCount(1);
    await expect(page.getByRole("region", { name: "By tool" }).getByText("agent__spawn")).toBeVisible();
  },
  knowledge: async (page) => {
    await expect(
      look(page)
        .getByRole("article", { name: /^Search for/ })
        .first(),
    ).toBeVisible();
    const search = page.getByRole("searchbox", { name: "Search what was looked up" });
    await search.fill("nobody looked this up");
    await expect(look(page).getByText("Nothing that was looked up matches")).toBeVisible();
    await search.fill("");
    await search.blur();
  },
  tasks: async (page) => {
    await expect(page.getByLabel("Search tasks")).toBeVisible();
  },
  messages: async (page) => {
    await expect(look(page).getByText("Instructions", { exact: true }).first()).toBeVisible();
  },
  files: async (page) => {
    const answer = page.getByRole("button", { name: "Download answer.md" });
    await expect(answer).toBeVisible();
    const search = page.getByRole("searchbox", { name: "Search files" });
    await search.fill("supervisor");
    await expect(answer).toBeHidden();
    await expect(page.getByRole("button", { name: "Download result of Supervisor" })).toBeVisible();
    await search.blur();
  },
  state: async (page) => {
    await expect(look(page).locator(".state-table tbody tr").first()).toBeVisible();
  },
};

test("a run is looked at in every way, by the keyboard, and on a phone", async ({ browser }) => {
  test.setTimeout(600_000);
  const installation = await Installation.start({ model: "scripted" });
  const context = await browser.newContext({ baseURL: installation.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    const runId = await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(page);
    await expectAnswer(page);

    // Every view from the one before, and axe on each.
    for (const name of RUN_LOOKS.slice(1)) {
      await page.keyboard.press("v");
      await expect(tab(page, LOOK_WORDS[name])).toHaveAttribute("aria-selected", "true");
      await expect(page).toHaveURL(new RegExp(`view=${name}`));
      if (name !== "steps") await HOLDS[name](page);
      await settled(page);
      await expectAccessibleInBoth(page, name);
    }
    await page.keyboard.press("v");
    await expect(tab(page, "Steps")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("b");
    await expect(tab(page, "State")).toHaveAttribute("aria-selected", "true");
    await tab(page, "State").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect(tab(page, "Conversation")).toHaveAttribute("aria-selected", "true");

    // What was said leads to its row, whose details are beside it.
    const question = look(page).getByRole("button", { name: /^Question/ });
    await question.focus();
    await page.keyboard.press("Enter");
    await expect(question).toHaveAttribute("aria-pressed", "true");
    const details = page.getByRole("complementary", { name: "Details" });
    await expect(details).toContainText("How detailed should the answer be");

    // Found in the details, also by its number.
    await details.getByRole("button", { name: "Find in the details" }).press("Enter");
    await page.getByRole("textbox", { name: "Find in the details" }).fill("detailed");
    await expect(details.getByRole("search").getByRole("status")).toHaveText(/^1 of \d+/);
    await page.keyboard.press("Escape");

    // The graph played back: at its first event there is one agent, and none of its steps.
    await page.goto(`/runs/${runId}?view=graph`);
    const event = page.getByRole("slider", { name: "Event" });
    await expect(event).toBeEnabled();
    await event.focus();
    await page.keyboard.press("Home");
    await expect(look(page).getByText("Not started yet").first()).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(event).toHaveAttribute("aria-valuetext", /^Event 2 of \d+: .* Supervisor is started$/);
    await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
    await expect.poll(async () => Number(await event.inputValue())).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Pause", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Now", exact: true }).press("Enter");
    await expect(look(page).getByText("Not started yet")).toHaveCount(0);
    const nodes = look(page).locator("[data-node]");
    await nodes.first().focus();
    await page.keyboard.press("ArrowRight");
    await expect(nodes.first()).not.toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(nodes.first()).toBeFocused();
    await page.keyboard.press("ArrowRight");
    const child = page.locator("[data-node]:focus");
    const childId = await child.getAttribute("data-node");
    await page.keyboard.press("ArrowDown");
    await expect(child).not.toHaveAttribute("data-node", childId ?? "");
    await page.keyboard.press("ArrowUp");
    await expect(child).toHaveAttribute("data-node", childId ?? "");
    await page.keyboard.press("Enter");
    await expect(look(page).locator('[data-node][aria-pressed="true"]')).toBeFocused();

    // Seen whole, as it opens; larger, and whole again; and found by name, in the middle and large enough to be read.
    const fit = look(page).getByRole("button", { name: "Fit", exact: true });
    await expect(fit).toBeDisabled();
    await look(page).getByRole("button", { name: "Larger" }).press("Enter");
    await expect(look(page).getByText("125 %")).toBeVisible();
    await fit.press("Enter");
    await expect(look(page).getByText("125 %")).toHaveCount(0);
    await look(page).getByLabel("Find an agent").click();
    await page
      .getByRole("option", { name: /^Searcher/ })
      .first()
      .click();
    const searcher = nodes.filter({ has: page.locator(".gnode-name", { hasText: "Searcher" }) }).first();
    await expect(searcher).toHaveAttribute("aria-pressed", "true");
    await expect(searcher).toBeInViewport({ ratio: 1 });

    // What came of a decision: the one that started the agents shows them as new.
    const root = (await treeOf(page, runId)).agents.find(({ parentId }) => parentId === null);
    await page.goto(`/runs/${runId}?view=state&agent=${root?.id}`);
    await expect(look(page).getByRole("row", { name: /Searcher.*New/ })).toBeVisible();
    await page.getByRole("button", { name: "Decision after" }).press("Enter");
    await expect(look(page).getByText(/What came of decision 2 of/)).toBeVisible();

    // The time axis: zoomed by the keyboard, by the link, by drawing, and back.
    await page.goto(`/runs/${runId}`);
    const axis = page.locator(".thead .brush");
    await expect(axis).toBeVisible();
    await page.keyboard.press("+");
    await expect(page).toHaveURL(/zoom=\d+-\d+/);
    await expect(page.getByRole("button", { name: "Reset zoom" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Reset zoom" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/zoom=/);
    const box = await axis.boundingBox();
    if (!box) throw new Error("the axis is not drawn");
    await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 });
    await expect(page.locator(".brushed")).toBeVisible();
    await page.mouse.up();
    await expect(page).toHaveURL(/zoom=\d+-\d+/);
    await page.getByRole("button", { name: "Reset zoom" }).press("Enter");
    await expect(page).not.toHaveURL(/zoom=/);

    // A model call's prompt tells how full its context is.
    await page
      .getByRole("row", { name: /Turn 1/ })
      .first()
      .click();
    await details.getByRole("tab", { name: "Prompt" }).click();
    await expect(details.getByText(/^About [\d,]+ tokens/)).toBeVisible();
    await expect(details.getByText("Context window")).toBeVisible();
    await expectAccessible(page, "context meter");

    // What it cost, by kind of token; of its agent, by model and against what it may spend.
    await details.getByRole("tab", { name: "Cost" }).click();
    await expect(details.getByRole("row", { name: /^Input/ })).toBeVisible();
    await expectAccessible(page, "cost of a call");
    await page.goto(`/runs/${runId}?at=${encodeURIComponent(`agent:${root?.id}`)}&tab=cost`);
    await expect(details.getByRole("row", { name: /^With its agents/ })).toBeVisible();
    await details.getByRole("tab", { name: "Overview" }).click();
    await expect(details.getByText(/^\d+ of \d+ answers of its model$/)).toBeVisible();
    await expect(details.getByText("Context of its last model call")).toBeVisible();
    await expectAccessible(page, "overview of an agent run");

    // What a tool returned is a tree: folded by the keyboard, and found in where it is folded.
    const search = (await treeOf(page, runId)).steps.find(({ kind }) => kind === "retrieval");
    await page.goto(`/runs/${runId}?at=${search?.agentRunId}.${search?.position}&tab=output`);
    const lines = details.getByRole("tree", { name: "Value" }).getByRole("treeitem");
    await lines.first().focus();
    await expect(lines.first()).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowLeft");
    await expect(lines.first()).toHaveText(/passages: \[ \d+ entr(y|ies) \]$/);
    await expect(lines).toHaveCount(1);
    await expectAccessible(page, "a value that is folded");
    await details.getByRole("button", { name: "Find in the details" }).press("Enter");
    await page.getByRole("textbox", { name: "Find in the details" }).fill("citation");
    await expect(details.getByRole("search").getByRole("status")).toHaveText(/^1 of \d+/);
    await expect(lines.filter({ hasText: "citation" }).first()).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Share a link…" }).click();
    const share = page.getByRole("dialog");
    await share.getByRole("button", { name: "Make a link" }).click();
    await expect(share.getByLabel("The new link")).toBeVisible();
    await expectAccessibleInBoth(page, "the dialog of a link to the run");
    await page.keyboard.press("Escape");
    await expect(share).toHaveCount(0);

    // On a phone nothing is wider than the screen.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const name of RUN_LOOKS) {
      await page.goto(`/runs/${runId}?agent=${root?.id}${name === "steps" ? "" : `&view=${name}`}`);
      await expect(tab(page, LOOK_WORDS[name])).toHaveAttribute("aria-selected", "true");
      if (name !== "steps") await HOLDS[name](page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390);
      await expectAccessible(page, `${name} on a phone`);
    }
  } finally {
    await context.close();
    await installation.stop();
  }
});
