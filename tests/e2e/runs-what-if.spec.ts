import type { Locator, Page } from "@playwright/test";
import { expectAccessibleInBoth } from "./accessible";
import { answerFirstOption, createOwner, expect, expectAnswer, Installation, startDemoRun, test } from "./installation";

/** The way from "why this agent and not that one" to what would have come of the other: by mouse, and by keyboard alone. */

let installation: Installation;
let page: Page;
let origin: string;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  installation = await Installation.start();
  page = await browser.newPage({ baseURL: installation.url });
  await createOwner(page, installation);
  origin = await startDemoRun(page, "What happens to a run when the process is killed?");
  await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
  await answerFirstOption(page);
  await expectAnswer(page);
});
test.afterAll(async () => {
  await page?.close();
  await installation?.stop();
});

const details = () => page.getByRole("complementary", { name: "Details" });
const dialog = () => page.getByRole("dialog").filter({ hasText: "What if…" });

/** The decision on screen says whom it could have chosen, whom it chose, and why. */
async function expectReason(): Promise<void> {
  await expect(details().getByText(/Options as offered/)).toBeVisible();
  await expect(details().locator(".quote-note")).toContainText(/gave this reason/);
  await expect(details().getByText("Chosen", { exact: true }).first()).toBeVisible();
  await expect(details()).toContainText("Searcher");
  await expect(details()).toContainText("Writer");
}

/** The comparison says on top where the two part: with whom the one went on, and with whom the other. */
async function expectDivergence(): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname === "/runs/compare");
  const parting = page.locator(".divergence");
  await expect(parting.getByRole("region", { name: "Run A", exact: true })).toContainText("Delegate → Searcher");
  await expect(parting.getByRole("region", { name: "Run B", exact: true })).toContainText("Delegate → Writer");
}

const isElsewhere = ({ pathname }: URL) => /^\/runs\/[0-9a-f-]{36}$/.test(pathname) && !pathname.includes(origin);

test("by mouse: why Searcher and not Writer, what if Writer, and where the two runs part", async () => {
  await page.goto(`/runs/${origin}`);
  await page
    .getByRole("row", { name: /Delegate/ })
    .first()
    .click();
  await expectReason();
  await expectAccessibleInBoth(page, "the tab of a decision");
  await details().getByRole("button", { name: "What if…" }).click();
  await dialog().getByLabel("What it chooses").click();
  await page.getByRole("option", { name: "Writer" }).click();
  await dialog().getByLabel("What it is told").fill("Write the answer from what you know.");
  await expectAccessibleInBoth(page, "the dialog of What if");
  await dialog().getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(isElsewhere);
  await expect(page.getByText(/What if, with another choice in a step of/)).toBeVisible();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByRole("menuitem", { name: "Compare with its origin" }).click();
  await expectDivergence();
});

test("by keyboard alone: the same", async () => {
  await page.goto(`/runs/${origin}`);
  await expect(page.getByRole("treegrid")).toBeVisible();
  // Decisions only, from the first row on, to the one that delegates.
  await page.keyboard.press("d");
  await page.keyboard.press("t");
  const picked = page.locator('[role="treegrid"] [role="row"][aria-selected="true"]');
  await pressUntil("ArrowDown", picked.filter({ hasText: "Delegate" }));
  await expectReason();
  await pressUntil("Tab", focusedWithin(details().getByRole("button", { name: "What if…" })));
  await page.keyboard.press("Enter");
  await pressUntil("Tab", focusedWithin(dialog().getByLabel("What it chooses")));
  await page.keyboard.press("ArrowDown");
  const active = page.locator('[role="option"][data-combobox-selected]');
  await pressUntil("ArrowDown", active.filter({ hasText: "Writer" }));
  await page.keyboard.press("Enter");
  await pressUntil("Tab", focusedWithin(dialog().getByLabel("What it is told")));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Write the answer from what you know.");
  await pressUntil("Tab", focusedWithin(dialog().getByRole("button", { name: "Start the run" })));
  await page.keyboard.press("Enter");
  await page.waitForURL(isElsewhere);
  await pressUntil("Tab", focusedWithin(page.getByRole("button", { name: "Compare", exact: true })));
  await page.keyboard.press("Enter");
  await pressUntil("ArrowDown", focusedWithin(page.getByRole("menuitem", { name: "Compare with its origin" })));
  await page.keyboard.press("Enter");
  await expectDivergence();
});

const focusedWithin = (element: Locator) => element.and(page.locator(":focus"));

/** Presses a key again and again until something is there, as a person does who looks. */
async function pressUntil(key: string, there: Locator): Promise<void> {
  for (let times = 0; times < 150; times++) {
    if ((await there.count()) > 0) return;
    await page.keyboard.press(key);
    // A frame: what the key does is drawn.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
  }
  await expect(there).toBeVisible();
}
