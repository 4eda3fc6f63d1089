import { startTraceReceiver } from "@/tests/support/trace-receiver";
import { createOwner, expect, Installation, test } from "./installation";

test("an owner sends traces to a receiver, tests it, and has personal data taken out", async ({ browser }) => {
  test.setTimeout(240_000);
  const receiver = await startTraceReceiver();
  const installation = await Installation.start({ demo: "on" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    await page.goto("/tracing");
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByLabel("Header name").fill("Authorization");
    await page.getByLabel("Value of Authorization").fill("Bearer only-for-the-receiver");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("region", { name: "Send traces" }).getByRole("alert")).toContainText("private network");

    await page.getByLabel("Allow this host on a private network").check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved. Runs that end from now on are sent.")).toBeVisible();
    await expect(page.getByPlaceholder("Stored; leave empty to keep")).toHaveValue("");
    await page.getByRole("button", { name: "Send a test span" }).click();
    await expect(page.getByText("It was taken (200).")).toBeVisible();
    expect(receiver.requests[0]?.headers.authorization).toBe("Bearer only-for-the-receiver");

    await page.getByRole("switch", { name: "Take out personal data" }).click();
    await expect(page.getByText("On, for everything that comes in.")).toBeVisible();
    await page.getByLabel("Try it").fill("Ask jane@example.com about order 4500012345.");
    await page.getByRole("button", { name: "Show what would be stored" }).click();
    await expect(page.getByText("Ask [REDACTED_EMAIL] about order 4500012345.")).toBeVisible();

    receiver.answer = { status: 401 };
    await page.getByRole("button", { name: "Send a test span" }).click();
    await expect(page.getByRole("region", { name: "Send traces" }).getByRole("alert")).toContainText(
      "The receiver refused the headers (401).",
    );
  } finally {
    await context.close();
    await installation.stop();
    await receiver.close();
  }
});
