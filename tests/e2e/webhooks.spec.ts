import { Webhook } from "standardwebhooks";
import { startWebhookReceiver } from "@/tests/support/webhook-receiver";
import { expectAccessible, expectAccessibleInBoth } from "./accessible";
import { createOwner, expect, Installation, startDemoRun, test } from "./installation";

test("an owner adds a webhook by keyboard, tests it, and sees what a run told it and what did not get through", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const receiver = await startWebhookReceiver();
  const installation = await Installation.start({ demo: "on" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    await page.goto("/webhooks");
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await page.getByRole("button", { name: "Add webhook" }).first().focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Name")).toBeFocused();
    await page.keyboard.type("Ops channel");
    await page.keyboard.press("Tab");
    await page.keyboard.type(receiver.url);
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText("private network");
    await expectAccessibleInBoth(page, "the form of a webhook");

    await dialog.getByLabel("Allow this host on a private network").check();
    await dialog.getByLabel("A run was started").check();
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    const secret = await dialog.getByLabel("Signing secret").inputValue();
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/);
    const webhookPage = page.url();
    await expect(page.getByText("No calls yet")).toBeVisible();
    expect(await page.content()).not.toContain("T0SECRETPATH");

    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.getByText("It was taken (200).")).toBeVisible();
    const [tested] = receiver.calls;
    expect(new Webhook(secret).verify(tested?.text ?? "", tested?.headers as Record<string, string>)).toMatchObject({
      type: "test",
    });

    const runId = await startDemoRun(page, "Tell the channel about it");
    await page.goto(webhookPage);
    const calls = page.getByRole("region", { name: "Calls" });
    const started = calls.getByRole("listitem").filter({ hasText: "A run was started" }).first();
    await expect(started.getByText("Taken")).toBeVisible({ timeout: 60_000 });
    const asked = calls.getByRole("listitem").filter({ hasText: "A run waits for a person" }).first();
    // The list is brought up to date by itself.
    await expect(asked.getByText("Taken")).toBeVisible({ timeout: 60_000 });
    await asked.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(asked.locator("pre")).toContainText(`"type": "request.opened"`);
    await expectAccessibleInBoth(page, "a webhook and its calls");
    const opened = receiver.calls.find(({ body }) => body.type === "request.opened");
    expect(opened?.body.data).toMatchObject({
      run: { id: runId, url: `${new URL(webhookPage).origin}/runs/${runId}` },
    });
    expect(opened?.text).not.toContain("Tell the channel");

    receiver.answer = { status: 500 };
    const before = receiver.calls.length;
    await asked.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("Not getting through").first()).toBeVisible({ timeout: 60_000 });
    expect(receiver.calls.length).toBeGreaterThan(before);
    await calls.getByText("Waiting", { exact: true }).first().click();
    await expect(page).toHaveURL(/calls=waiting/);
    await expect(calls.getByRole("listitem").filter({ hasText: "Tried again" })).toHaveCount(1);

    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "a webhook on a phone");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Remove…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the webhook" }).click();
    await expect(page.getByText("No webhooks yet")).toBeVisible();
  } finally {
    await context.close();
    await installation.stop();
    await receiver.close();
  }
});
