import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  expectAnswered,
  Installation,
  rowsOf,
  runTheDemo,
  startDemoRun,
  test,
  treeOf,
} from "./installation";

// Each has an installation of its own.
test.describe.configure({ mode: "parallel" });

for (const model of ["rehearsal", "scripted"] as const) {
  test(`a new owner runs the demo team, answers its question and reads why it chose (${model} model)`, async ({
    browser,
  }) => {
    const installation = await Installation.start({ model });
    const context = await browser.newContext({ baseURL: installation.url });
    const page = await context.newPage();
    try {
      await createOwner(page, installation);
      await expect(page.getByText(model === "rehearsal" ? /rehearsal/i : /scripted/).first()).toBeVisible();
      const runId = await runTheDemo(page);

      await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
      await answerFirstOption(page);
      await expectAnswer(page);

      const tree = await treeOf(page, runId);
      const [first, second] = tree.agents.filter(({ depth }) => depth === 1);
      // At once: each began before the other ended.
      expect(first?.startedAt && second?.finishedAt && first.startedAt < second.finishedAt).toBe(true);
      expect(second?.startedAt && first?.finishedAt && second.startedAt < first.finishedAt).toBe(true);
      expect(tree.run.answer).toMatch(/\[[\w-]+\.md#\d+\]/);
      await expect(page.getByRole("region", { name: "Text of the answer" }).locator("cite").first()).toBeVisible();
      const retries = tree.decisions.filter(({ kind }) => kind === "retry");
      if (model === "scripted") {
        // A 429 that asked for a second, and a connection that dropped.
        expect(retries).toHaveLength(2);
        expect(retries.every(({ source }) => source === "runtime-rule")).toBe(true);
        expect(retries.some(({ reason }) => reason?.includes("asked to wait 1.0 s"))).toBe(true);
        await expect(page.getByRole("row", { name: /Retry/ }).first()).toBeVisible();
      } else {
        expect(retries).toHaveLength(0);
      }

      await page
        .getByRole("row", { name: /Delegate/ })
        .first()
        .click();
      const inspector = page.getByRole("complementary", { name: "Details" });
      await expect(inspector.getByText(/Options as offered/)).toBeVisible();
      await expect(inspector.getByText("Chosen", { exact: true }).first()).toBeVisible();
      await expect(inspector.locator(".quote-note").getByText(/The model gave this reason/)).toBeVisible();
      await expect(inspector.getByText("Writer", { exact: true }).first()).toBeVisible();
    } finally {
      await context.close();
      await installation.stop();
    }
  });
}

test("a reload, a second tab and no tab at all change nothing about a run", async ({ browser }) => {
  const installation = await Installation.start({ model: "scripted" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    const runId = await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByRole("row", { name: /Searcher/ }).first()).toBeVisible();
    await page.reload();
    const second = await context.newPage();
    await second.goto(`/runs/${runId}`);
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(second);
    // The first tab hears of it.
    await expectAnswered(page);
    // Nobody watches while the writer works.
    await page.close();
    await second.close();
    const late = await context.newPage();
    await late.goto(`/runs/${runId}`);
    await expectAnswer(late);
    const shown = await rowsOf(late);
    const tree = await treeOf(late, runId);
    // The head of the table; a child's row stands for the step that spawned it.
    const steps = tree.steps.filter(({ name }) => name !== "agent__spawn");
    expect(shown).toBe(1 + tree.agents.length + steps.length + tree.decisions.length);
    await late.reload();
    await expectAnswer(late);
    expect(await rowsOf(late)).toBe(shown);

    // Its supervisor's last turn is done anew in a run of its own; all before it is kept.
    await late
      .getByRole("row", { name: /Turn \d/ })
      .last()
      .click();
    await late.getByRole("button", { name: "Retry from here…" }).click();
    const dialog = late.getByRole("dialog").filter({ hasText: "Retry from this step" });
    await dialog.getByRole("button", { name: "Retry from here", exact: true }).click();
    await late.waitForURL(({ pathname }) => /^\/runs\/[0-9a-f-]{36}$/.test(pathname) && !pathname.includes(runId));
    await expectAnswer(late);
    const fork = await treeOf(late, new URL(late.url()).pathname.slice("/runs/".length));
    expect(fork.agents).toHaveLength(tree.agents.length);
    const kept = fork.steps.filter(({ reused }) => reused).length;
    expect(kept).toBeGreaterThan(tree.steps.length / 2);
    expect(kept).toBeLessThan(tree.steps.length);
    expect(fork.run.answer).toBe(tree.run.answer);
  } finally {
    await context.close();
    await installation.stop();
  }
});
