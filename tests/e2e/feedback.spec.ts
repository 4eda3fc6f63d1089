import { expectAccessible } from "./accessible";
import { answerFirstOption, createOwner, expect, expectAnswer, Installation, startDemoRun, test } from "./installation";

test("an answer is judged, found again among all feedback, and its run is run again and compared", async ({
  browser,
}) => {
  const installation = await Installation.start({ model: "scripted" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    const runId = await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(page);
    await expectAnswer(page);

    // A vote, the other vote in its place, and a correction in words.
    const good = page.getByRole("button", { name: "Good answer", exact: true });
    const bad = page.getByRole("button", { name: "Bad answer", exact: true });
    await good.click();
    await expect(good).toHaveAttribute("aria-pressed", "true");
    await bad.click();
    await expect(bad).toHaveAttribute("aria-pressed", "true");
    await expect(good).toHaveAttribute("aria-pressed", "false");
    await page.getByRole("button", { name: "Say more of this answer" }).click();
    const dialog = page.getByRole("dialog").filter({ hasText: "Feedback on this answer" });
    await dialog.getByRole("textbox", { name: "Correction" }).fill("It is taken over within seconds.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: /1 comment so far/ })).toBeVisible();

    await page.goto("/feedback");
    const rows = page.getByRole("listitem").filter({ hasText: "What happens to a run" });
    await expect(rows).toHaveCount(2);
    await page.getByText(/^Corrections 1$/).click();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("It is taken over within seconds.");
    await expect(page).toHaveURL(/type=correction/);
    await expectAccessible(page);
    await page.goto("/runs?feedback=negative");
    await expect(page.getByRole("link", { name: "What happens to a run when the process is killed?" })).toHaveCount(1);

    // Again as a whole: nobody is asked unless it writes, and both runs know of each other.
    await page.goto(`/runs/${runId}`);
    await page.getByRole("button", { name: "Run again…" }).click();
    const again = page.getByRole("dialog").filter({ hasText: "Run again" });
    await expect(again.getByLabel("Ask me before each call that writes")).toBeChecked();
    await again.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname.startsWith("/runs/") && !pathname.includes(runId));
    await expect(page.getByRole("link", { name: /^Run again of “What happens/ })).toBeVisible();
    await page.goto(`/runs/${runId}`);
    await page.getByRole("button", { name: "Run again once" }).click();
    await page.getByRole("menuitem", { name: "Compare with it" }).click();
    await page.waitForURL(({ pathname }) => pathname === "/runs/compare");
  } finally {
    await context.close();
    await installation.stop();
  }
});
