import type { BrowserContext, Locator, Page } from "@playwright/test";
import { overflowing } from "@/tests/support/overflow";
import { expectAccessible } from "./accessible";
import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  Installation,
  OWNER,
  startDemoRun,
  test,
  treeOf,
} from "./installation";

const SAID = "Name the table in which they are kept.";
const PAUSED = `${OWNER.name} paused everything`;

let installation: Installation;
let context: BrowserContext;
let page: Page;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  installation = await Installation.start({ model: "scripted" });
  context = await browser.newContext({ baseURL: installation.url });
  page = await context.newPage();
  await createOwner(page, installation);
});
test.afterAll(async () => {
  await context?.close();
  await installation?.stop();
});

const head = () => page.locator(".run-head");
const state = () => page.locator(".run-meta");
const details = () => page.getByRole("complementary", { name: "Details" });
/** The row of a decision, by what was done. */
const decision = (word: string): Locator =>
  page.locator(".trow.k-decision", { has: page.getByText(word, { exact: true }) });

test("a run that is paused stands still, is answered and spoken to meanwhile, and goes on when it is resumed", async () => {
  const runId = await startDemoRun(page, "What is kept of a decision, and who takes it?");
  await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
  // The key asks no page that is still on its way.
  await expect(head().getByRole("button", { name: "Pause", exact: true })).toBeEnabled();
  await page.getByRole("treegrid").focus();
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog", { name: "Stop this run?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("treegrid").focus();
  await page.keyboard.press("Space");
  await expect(state()).toContainText("Paused, 1 waiting for you");
  await expect(page.getByText(new RegExp(`^Paused by ${OWNER.name}\\.`))).toBeVisible();
  await expect(head().getByRole("button", { name: "Pause", exact: true })).toHaveCount(0);

  // Nothing moves: no icon turns, and the clock says the same however long one looks.
  await page.reload();
  await expect(state()).toContainText("Paused");
  await expect(page.locator("main .spin, main .now-line")).toHaveCount(0);
  const elapsed = head().locator(".stat dd").first();
  const shown = await elapsed.innerText();
  await expectAccessible(page, "a paused run");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(head().getByRole("button", { name: "Resume", exact: true })).toBeInViewport();
  expect(await overflowing(page)).toEqual([]);
  await head().getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Run again…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });

  await answerFirstOption(page);
  await page.locator(".trow.k-team").click();
  await details().getByLabel("Say something").fill(SAID);
  await page.keyboard.press("ControlOrMeta+Enter");
  const before = await treeOf(page, runId);
  const root = before.agents.find(({ parentId }) => parentId === null);
  await expect(
    details().getByText(`Said. ${root?.name} reads it before its next model call, once the run is resumed.`),
  ).toBeVisible();
  await expect(details().getByRole("button", { name: "Stop this agent…" })).toHaveCount(0);
  expect((await treeOf(page, runId)).run.status).toBe("paused");
  await expect(state()).toContainText("Paused");
  await expect(elapsed).toHaveText(shown);

  await head().getByRole("button", { name: "Resume", exact: true }).click();
  await expectAnswer(page);
  const tree = await treeOf(page, runId);
  const people = tree.decisions.filter(({ kind }) => ["pause", "resume", "steer"].includes(kind));
  expect(people.map(({ kind }) => kind).sort()).toEqual(["pause", "resume", "steer"]);
  expect(people.every(({ source }) => source === "human")).toBe(true);
  await page.goto(`/runs/${runId}?show=decisions`);
  for (const word of ["Pause", "Resume", "Steer"]) await expect(decision(word)).toBeVisible();
  await expect(decision("Steer")).toContainText(`${OWNER.name}: ${SAID}`);

  const saidAt = people.find(({ kind }) => kind === "steer")?.at ?? "";
  const [next] = tree.steps
    .filter((step) => step.agentRunId === root?.id && step.kind === "model" && step.startedAt > saidAt)
    .sort((a, b) => a.position - b.position);
  await page.goto(`/runs/${runId}?at=${root?.id}.${next?.position}&tab=input`);
  await expect(details()).toContainText(`${OWNER.name} says while you work: ${SAID}`);
});

test("while everything is paused no run starts, every tab says so, and the palette pauses a single run", async () => {
  const other = await context.newPage();
  await other.goto("/");
  await page.goto("/runs");
  await page.getByRole("button", { name: "Pause or stop all" }).click();
  await page.getByRole("menuitem", { name: "Pause everything" }).click();
  await expect(page.getByRole("main").getByText(PAUSED)).toBeVisible();
  await expect(other.getByRole("main").getByText(PAUSED)).toBeVisible();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expectAccessible(page, "a list of runs while everything is paused");
  await other.setViewportSize({ width: 390, height: 844 });
  expect(await overflowing(other)).toEqual([]);

  await page
    .getByRole("button", { name: /^Start a run/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(PAUSED)).toBeVisible();
  await dialog.getByLabel("What should it do?").fill("How is a run paused?");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("paused everything in this workspace. Resume it first.");
  await dialog.getByRole("button", { name: "Resume everything" }).click();
  await expect(dialog.getByText(PAUSED)).toHaveCount(0);
  await expect(other.getByText(PAUSED)).toHaveCount(0);
  await other.close();
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("treegrid")).toBeVisible();

  await page.keyboard.press("ControlOrMeta+k");
  await page.getByPlaceholder("Search, or type what to do").fill("pause this run");
  await page.locator(".mantine-Spotlight-action").filter({ hasText: "Pause this run" }).click();
  await expect(state()).toContainText("Paused");
  await head().getByRole("button", { name: "Stop…", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop the run" }).click();
  await expect(state()).toContainText("Stopped");
  await expect(head().getByRole("button", { name: "Run again…" })).toBeVisible();
});

test("a run that would pass its limit is suspended, says why, and goes on with more in the dialog of Resume", async () => {
  const runId = await startDemoRun(page, "Who takes a decision, and where is that kept?", { tokens: 300 });
  await expect(state()).toContainText("Suspended", { timeout: 60_000 });
  const held = await treeOf(page, runId);
  expect(held.run.limits).toMatchObject({ maxTokens: 300, maxCostNanoUsd: null });
  expect(held.run.statusReason).toMatch(/^This run may use 300 tokens: .* the next call may use up to [\d,]+\.$/);
  expect(held.decisions.filter(({ kind }) => kind === "budget").map(({ source }) => source)).toEqual(["policy"]);
  expect(held.steps.filter(({ kind }) => kind === "model")).toEqual([]);
  await expect(page.locator(".run-hold")).toContainText(held.run.statusReason ?? "no reason");
  const budget = head().getByRole("meter", { name: "Budget: tokens" });
  await expect(budget).toHaveAttribute("aria-valuetext", "0 spent of 300: within budget");
  await expectAccessible(page, "a suspended run");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(head().getByRole("button", { name: "Resume…", exact: true })).toBeInViewport();
  expect(await overflowing(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await head().getByRole("button", { name: "Resume…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Resume this run" });
  const tokens = dialog.getByLabel("Tokens at most, in and out");
  await expect(tokens).toHaveValue("300");
  await expect(dialog).toContainText("Spent so far: $0.0000 and 0 tokens.");
  await expectAccessible(page, "the dialog of Resume");
  await tokens.fill("2000000");
  await dialog.getByLabel("Spend at most, in US dollars").fill("0,25");
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(dialog.getByText("US dollars with a point, such as 0.25")).toBeVisible();
  await dialog.getByLabel("Spend at most, in US dollars").fill("");
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(dialog).toBeHidden();

  await expect(page.getByText("How detailed should the answer be").first()).toBeVisible({ timeout: 60_000 });
  await expect(budget).toHaveAttribute("aria-valuemax", "2000000");
  await answerFirstOption(page);
  await expectAnswer(page);
  await page.goto(`/runs/${runId}?show=decisions`);
  for (const word of ["Budget", "Resume"]) await expect(decision(word)).toBeVisible();
  await expect(decision("Budget")).toContainText("Suspend the run");

  const tree = await treeOf(page, runId);
  expect(tree.run.inputTokens + tree.run.outputTokens).toBeGreaterThan(300);
  // The writer's first answer broke off: nobody knows whether it was charged, so what was reserved for it stays counted.
  expect(tree.run.reserved.tokens).toBeGreaterThan(0);
});
