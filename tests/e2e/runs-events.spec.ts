import { createOwner, expect, Installation, test } from "./installation";
import { ask, publishAgent } from "./workshop";

const MARKUP = "<img src=x data-made onerror=alert(1)>";

test("an agent that may publish events does, and they are told where events are: in a sentence, with their data as a tree", async ({
  browser,
}) => {
  const installation = await Installation.start({ demo: "off", model: "scripted", script: "library-desk" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    await publishAgent(page, { name: "Warden", purpose: "Watches.", instructions: "Tell.", publishesEvents: true });
    await expect(page.locator("#section-alone > summary")).toContainText("Publishes events");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/conversations\//);
    const data = { lantern: { floor: 3, note: MARKUP } };
    const answer = await ask(page, `Call event__publish with ${JSON.stringify({ name: "lantern.seen", data })}`);
    expect(answer).toContain('"status":"ok"');
    const href = await page.locator('a[href*="/runs/"]').first().getAttribute("href");
    await page.goto(/\/runs\/[0-9a-f-]{36}/.exec(href ?? "")?.[0] ?? "");
    const details = page.getByRole("complementary", { name: "Details" });
    const published = details.locator(".event", { hasText: "agent.published" });
    const openEvents = async (icon: string) => {
      const row = page.getByRole("row").filter({ has: page.getByRole("img", { name: icon, exact: true }) });
      await row.click({ timeout: 20_000 });
      await details.getByRole("tab", { name: "Events" }).click();
      await expect(published).toHaveCount(1);
    };

    // Of the whole run, and of the very step.
    await openEvents("Root agent run");
    await openEvents("Tool call");
    await expect(details.locator(".event")).not.toHaveCount(1);
    await expect(published.locator("summary")).toContainText("agent.published lantern.seen");
    await published.locator("summary").click();
    await expect(published.getByText("Warden published “lantern.seen”, with this:")).toBeVisible();
    await published.getByRole("button", { name: "Unfold the whole value" }).click();
    await expect(published.getByRole("treeitem", { name: /floor: 3/ })).toBeVisible();
    await expect(published.getByRole("treeitem", { name: new RegExp(`note: .*${MARKUP.slice(0, 20)}`) })).toBeVisible();
    await expect(page.locator("[data-made]")).toHaveCount(0);

    // It is found there, as all that the tab shows.
    await details.getByRole("button", { name: "Find in the details" }).click();
    await page.getByRole("textbox", { name: "Find in the details" }).fill("lantern.seen");
    await expect(details.getByRole("search").getByRole("status")).toHaveText(/^1 of \d+/);
  } finally {
    await context.close();
    await installation.stop();
  }
});
