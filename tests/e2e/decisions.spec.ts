import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessibleInBoth } from "./accessible";
import { answerFirstOption, createOwner, expect, expectAnswer, Installation, startDemoRun, test } from "./installation";
import { downloadedList } from "./menus";

/** Decisions of all runs: found, counted, explained, held against earlier ones, judged, and taken along as a file. */

let installation: Installation;
let page: Page;
const NOTE = "The question was for the one who searches.";

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  installation = await Installation.start();
  page = await browser.newPage({ baseURL: installation.url });
  await createOwner(page, installation);
  // Asked twice: the second time each decision has an earlier one like it.
  for (let nth = 0; nth < 2; nth++) {
    await startDemoRun(page, "What happens to a run when the process is killed?");
    await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
    await answerFirstOption(page);
    await expectAnswer(page);
  }
});
test.afterAll(async () => {
  await page?.close();
  await installation?.stop();
});

const chart = () => page.getByRole("region", { name: "Outcome by choice" });
const decisions = () => page.locator("li.decision");

test("the chart counts how often whom was chosen and how that ended, and a press shows those", async () => {
  await page.goto("/decisions?kind=delegate");
  // Each of the two runs started it twice, by a decision of its own.
  const bars = chart().getByRole("button", { name: /Searcher/ });
  await expect(bars).toContainText(/4 times: 4 ended well/);
  await bars.click();
  await expect(page).toHaveURL(/option=agent/);
  await expect(decisions()).toHaveCount(4);
  for (const one of await decisions().all()) await expect(one).toContainText("Searcher");
  await bars.click();
  await expect(page).not.toHaveURL(/option=/);
});

test("the decisions of a filter are taken along as CSV and as JSON, by mouse and by keyboard", async () => {
  await page.goto("/decisions?kind=delegate&option=agent%3ASearcher");
  await expect(decisions()).toHaveCount(4);
  const { name, rows } = await downloadedList(
    page.getByRole("button", { name: "Download the decisions of this filter" }),
  );
  expect(name).toBe("decisions");
  expect(rows).toHaveLength(4);
  const shown = await decisions().allInnerTexts();
  for (const [at, one] of rows.entries()) {
    expect(one.kind).toBe("delegate");
    expect(one.chosen).toContain("Searcher");
    for (const told of [one.agent, one.runTitle]) expect(shown[at]).toContain(String(told));
  }
});

test("a search finds the words of a reason, and says so when there is none", async () => {
  await page.goto("/decisions");
  await page.getByRole("searchbox", { name: "Search decisions" }).fill("nobody ever said this");
  await expect(decisions()).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search decisions" }).fill("search");
  await expect(decisions().first()).toBeVisible();
});

test("one is explained, held against the earlier one like it, and judged; the label is found and taken along", async () => {
  await page.goto("/decisions?kind=delegate&option=agent%3ASearcher");
  const newest = decisions().first();
  await newest.locator(".decision-what").click();
  await expect(newest.getByRole("heading", { name: "Earlier decisions like it" })).toBeVisible();
  // A worker prepares it a few seconds after it was taken.
  await expect(newest.locator(".precedent").first()).toBeVisible({ timeout: 60_000 });
  await expect(newest.locator(".precedent").first()).toContainText(/\d+ % alike/);
  await expect(newest.getByRole("heading", { name: "In plain words" })).toBeVisible();
  await expectAccessibleInBoth(page, "a decision with its explanation and earlier ones like it");

  await newest.getByText("Right", { exact: true }).click();
  await newest.getByRole("textbox", { name: "Note" }).fill(NOTE);
  await expectAccessibleInBoth(page, "the form of a label");
  await newest.getByRole("button", { name: "Save" }).click();
  await expect(newest.locator(".label-said")).toContainText(NOTE);

  await page.goto("/decisions?label=right");
  await expect(decisions()).toHaveCount(1);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export labelled" }).click();
  const lines = readFileSync(await (await coming).path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(NOTE);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "delegate" });
});
