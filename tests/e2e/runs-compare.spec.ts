import type { Page } from "@playwright/test";
import { expectAccessibleInBoth } from "./accessible";
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

/** Retries the run on screen from where a person was asked, and answers something else; returns the new run's id. */
async function answerOtherwise(page: Page, runId: string): Promise<string> {
  await page
    .getByRole("row", { name: /How detailed should the answer be/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Retry from here…" }).click();
  const dialog = page.getByRole("dialog").filter({ hasText: "Retry from this step" });
  await expect(dialog.getByRole("button", { name: "Retry from here", exact: true })).toBeEnabled();
  await expectAccessibleInBoth(page, "the dialog of Retry");
  await dialog.getByRole("button", { name: "Retry from here", exact: true }).click();
  await page.waitForURL(({ pathname }) => /^\/runs\/[0-9a-f-]{36}$/.test(pathname) && !pathname.includes(runId));
  const request = page.getByRole("article", { name: /^Request of/ });
  await request.getByRole("button", { name: "Detailed" }).click({ timeout: 60_000 });
  await expectAnswer(page);
  return new URL(page.url()).pathname.slice("/runs/".length);
}

test("a fork and its origin are compared: where they part, what differs, by the keyboard, and back", async ({
  browser,
}) => {
  const installation = await Installation.start({ model: "scripted" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    const origin = await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(page);
    await expectAnswer(page);
    const fork = await answerOtherwise(page, origin);

    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("menuitem", { name: "Compare with its origin" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/runs/compare");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ left: origin, right: fork });

    // They part where the person was asked: one was told Short, the other Detailed.
    const parting = page.locator(".divergence");
    await expect(parting.getByRole("region", { name: "Run A" })).toContainText("Short");
    await expect(parting.getByRole("region", { name: "Run B" })).toContainText("Detailed");
    await expect(page.getByText(/B: Retried from a step of .+ in A/)).toBeVisible();
    await expect(page.getByRole("row", { name: /Kept from another run/ })).toContainText(/\d+ steps/);
    await expectAccessibleInBoth(page, "two runs compared");

    // From difference to difference: the picked row changes, and comes back.
    const tree = page.getByRole("treegrid");
    const picked = tree.locator('[role="row"][aria-selected="true"]');
    await expect(picked).toHaveCount(1);
    const first = await picked.getAttribute("id");
    await page.keyboard.press("n");
    await expect(picked).not.toHaveAttribute("id", String(first));
    await expect(page).toHaveURL(/at=/);
    await page.keyboard.press("p");
    await expect(picked).toHaveAttribute("id", String(first));

    // Rows in between, and what is the same unfolds.
    await page.keyboard.press("ArrowUp");
    await expect(picked).toHaveAttribute("aria-expanded", "false");
    const rows = async () => Number(await tree.getAttribute("aria-rowcount"));
    const folded = await rows();
    await page.keyboard.press("Enter");
    await expect.poll(rows).toBeGreaterThan(folded);
    await page.keyboard.press("Enter");
    await expect.poll(rows).toBe(folded);

    // Both sides of the difference, loaded now; Escape goes back to it.
    await page.keyboard.press("n");
    await expect(picked).toHaveAttribute("id", String(first));
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog");
    await expect(details.getByRole("region", { name: "Run A" })).toContainText("Short");
    await expect(details.getByRole("region", { name: "Run B" })).toContainText("Detailed");
    await page.keyboard.press("Escape");
    await expect(details).toHaveCount(0);

    await page.getByRole("button", { name: "Swap A and B" }).click();
    await expect(parting.getByRole("region", { name: "Run A" })).toContainText("Detailed");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(parting.getByRole("region", { name: "Run B" })).toContainText("Short");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessibleInBoth(page, "two runs compared on a phone");
    await page.setViewportSize({ width: 1440, height: 900 });

    // A link of the card leads into the run, at that place.
    await parting.getByRole("region", { name: "Run B" }).getByRole("link", { name: "Open there" }).click();
    await page.waitForURL(({ pathname }) => pathname === `/runs/${origin}`);
    await expect(page.getByRole("complementary", { name: "Details" })).toContainText(/Short/);

    // The origin leads there, too; and one can choose by hand.
    await page.getByRole("button", { name: "Retried once" }).click();
    await page.getByRole("menuitem", { name: "Compare with it", exact: true }).click();
    await expect(parting.getByRole("region", { name: "Run A" })).toContainText("Short");
    await page.goto(`/runs/compare?left=${origin}`);
    await page.getByLabel("Search runs").fill("process is killed");
    await page.getByRole("list", { name: "Runs" }).getByRole("link").first().click();
    await expect(parting).toBeVisible();
    expect((await treeOf(page, fork)).run.forkOf?.id).toBe(origin);
  } finally {
    await context.close();
    await installation.stop();
  }
});
