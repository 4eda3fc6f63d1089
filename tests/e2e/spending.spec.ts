import { expectAccessible } from "./accessible";
import { answerFirstOption, createOwner, expect, expectAnswer, Installation, startDemoRun, test } from "./installation";
import { downloadedList } from "./menus";

test("what was spent leads from an agent to its calls and from a call to its step, by the keyboard alone", async ({
  browser,
}) => {
  const installation = await Installation.start({ model: "scripted" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  try {
    await createOwner(page, installation);
    const runId = await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(page);
    await expectAnswer(page);

    await page.goto(`/spending?run=${runId}`);
    const groups = page.getByRole("table", { name: /^Calls of models by agent/ });
    await expect(groups).toBeVisible();
    await expect(page.getByRole("list", { name: "Filters that are set" })).toContainText("Run: What happens to a run");
    await expectAccessible(page);
    await groups.getByRole("button", { name: "Calls" }).press("Enter");
    await expect(page).toHaveURL(/sort=calls/);
    await expect(groups.getByRole("columnheader", { name: "Calls" })).toHaveAttribute("aria-sort", "descending");

    const byAgent = await downloadedList(page.getByRole("button", { name: "Download the list below" }));
    expect(byAgent.name).toBe("spending-by-agent");
    expect(byAgent.rows.length).toBeGreaterThan(1);
    const [first] = byAgent.rows;
    await expect(groups.getByRole("link").first()).toContainText(String(first?.name));
    const callsMade = byAgent.rows.reduce((sum, row) => sum + Number(row.calls), 0);

    await groups.getByRole("link").first().press("Enter");
    await expect(page).toHaveURL(/by=call/);
    const calls = page.getByRole("table", { name: "Calls of models, newest first" });
    await expect(calls).toBeVisible();
    await expectAccessible(page);
    const ofFirst = await downloadedList(page.getByRole("button", { name: "Download the list below" }));
    expect(ofFirst.name).toBe("model-calls");
    expect(ofFirst.rows.map(({ runId, agent }) => ({ runId, agent }))).toEqual(
      Array.from({ length: Number(first?.calls) }, () => ({ runId, agent: first?.name })),
    );
    await calls.getByRole("link").first().press("Enter");
    await page.waitForURL(({ pathname, searchParams }) => pathname === `/runs/${runId}` && searchParams.has("at"));
    await expect(page.getByRole("heading", { name: "Model call" })).toBeVisible();

    // What was asked for and found: nothing of it is there for another end.
    await page.goto(`/spending?run=${runId}&by=call&end=content_filter`);
    await expect(page.getByRole("main").getByText("No call of this period matches")).toBeVisible();
    await page.getByRole("button", { name: "Clear the filters" }).press("Enter");
    await expect(calls).toBeVisible();
    // A page whose script draws first what its server did not is drawn anew as a whole, and what was pressed meanwhile is lost.
    expect(errors).toEqual([]);

    await page.goto("/usage");
    const used = await downloadedList(page.getByRole("button", { name: "Download what each run used of each model" }));
    expect(used.name).toBe("model-usage");
    const ofRun = used.rows.filter((row) => row.runId === runId);
    // The script refuses one call at first and breaks one off: those used nothing.
    expect(ofRun.reduce((sum, row) => sum + Number(row.calls), 0)).toBe(callsMade - 2);
  } finally {
    await context.close();
    await installation.stop();
  }
});
