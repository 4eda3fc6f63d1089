import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  Installation,
  OWNER,
  startDemoRun,
  test,
} from "./installation";

let installation: Installation;
test.beforeAll(async () => {
  installation = await Installation.start();
});
test.afterAll(async () => {
  await installation.stop();
});

/** Nothing a person with a screen reader or a keyboard would stumble over badly. */
async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa"]).analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    serious.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3) })),
  ).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}

test("every page of the console works on a desktop and a phone, with the keyboard, signed out and in again", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));

  await page.goto("/runs?status=failed");
  await expect(page).toHaveURL(/\/setup/);
  await expectAccessible(page);
  await createOwner(page, installation);
  await expectAccessible(page);

  await page.goto("/runs");
  await expect(page.getByText(/no runs/i).first()).toBeVisible();
  await page.goto("/");
  await startDemoRun(page, "How are decisions recorded?");
  await expect(page.getByText("How detailed should the answer be").first()).toBeVisible();
  await answerFirstOption(page);
  await expectAnswer(page);
  await expectAccessible(page);

  await page.keyboard.press("ControlOrMeta+k");
  await page
    .getByPlaceholder(/search/i)
    .last()
    .fill("runs");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs(\?|$)/);
  await expect(page.getByRole("link", { name: "How are decisions recorded?" })).toBeVisible();
  await expectAccessible(page);

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of ["/", "/runs"]) {
        await page.goto(path);
        await expect(page.getByText("How are decisions recorded?").first()).toBeVisible();
        await expectNoSidewaysScroll(page);
      }
      await page.getByText("How are decisions recorded?").first().click();
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await expectAnswer(page);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }

  const deepLink = page.url();
  await context.clearCookies();
  await page.goto(deepLink);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password entirely");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectAnswer(page);
  expect(errors).toEqual([]);
  await context.close();
});
