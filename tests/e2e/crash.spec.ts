import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  Installation,
  KINDS,
  rowsOf,
  startDemoRun,
  test,
  treeOf,
} from "./installation";

// Each has an installation of its own.
test.describe.configure({ mode: "parallel" });

for (const kind of KINDS) {
  test(`a run survives SIGKILL of the worker and then of everything, and the open page catches up (${kind})`, async ({
    browser,
  }) => {
    const installation = await Installation.start({ kind, model: "scripted" });
    const context = await browser.newContext({ baseURL: installation.url });
    const page = await context.newPage();
    try {
      await createOwner(page, installation);
      const runId = await startDemoRun(page, `What is repeated after a crash? (${kind})`);
      await expect(page.getByRole("row", { name: /Fact-checker/ }).first()).toBeVisible();
      installation.killWorker();
      await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });

      await installation.killEverything();
      // The very page that was open before: it reconnects and goes on from its last seq.
      await answerFirstOption(page);
      await expectAnswer(page);

      const tree = await treeOf(page, runId);
      const places = tree.steps.map(({ agentRunId, position }) => `${agentRunId}:${position}`);
      expect(new Set(places).size).toBe(places.length);
      expect(tree.agents.every(({ status }) => status === "completed")).toBe(true);
      expect(tree.agents).toHaveLength(4);
      expect(tree.decisions.some(({ kind: taken }) => taken === "takeover")).toBe(true);
      // What the page shows is what a fresh page shows.
      const shown = await rowsOf(page);
      await page.reload();
      await expectAnswer(page);
      expect(await rowsOf(page)).toBe(shown);
    } finally {
      await context.close();
      await installation.stop();
    }
  });
}
