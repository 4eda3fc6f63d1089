import { createOwner, expect, Installation, test } from "./installation";

test("a backup taken in the browser brings back what was there, by the browser", async ({ browser }) => {
  test.setTimeout(300_000);
  const installation = await Installation.start({ demo: "off" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);

    await page.goto("/system");
    await expect(page.getByRole("heading", { name: "Workers" })).toBeVisible();
    await expect(page.getByText("1 worker at work.")).toBeVisible();

    await page.getByText("Backups", { exact: true }).first().click();
    await page.getByRole("button", { name: "Back up now" }).click();
    const row = page.getByRole("row").filter({ hasText: "Taken by hand" });
    await expect(row).toHaveCount(1, { timeout: 60_000 });

    // What is done after the backup…
    await page.goto("/account");
    await page.getByLabel("Your name").fill("Somebody else");
    await page.getByRole("button", { name: "Save the name" }).click();
    await expect(page.getByText("Your name was saved")).toBeVisible();

    await page.goto("/system?tab=backups");
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Restore…" }).click();
    const dialog = page.getByRole("dialog");
    const replace = dialog.getByRole("button", { name: "Replace everything" });
    await replace.click();
    await expect(dialog.getByText("Type “Lind & Co”.", { exact: true })).toBeVisible();
    await dialog.getByLabel("Name of this workspace").fill("Lind & Co");
    await replace.click();
    await expect(page.getByRole("heading", { name: "Restoring…" })).toBeVisible();

    // …is gone once the page has come back by itself, and the way back to it is kept.
    await expect(page.getByText(/What is here now was restored from/)).toBeVisible({ timeout: 180_000 });
    await expect(page.getByRole("row").filter({ hasText: "Before a restore" })).toHaveCount(1);
    await page.goto("/account");
    await expect(page.getByLabel("Your name")).toHaveValue("Mara Lind");
  } finally {
    await context.close();
    await installation.stop();
  }
});
