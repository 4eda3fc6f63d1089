import type { Page } from "@playwright/test";
import { overflowing } from "@/tests/support/overflow";
import { textFile } from "@/tests/support/sample-files";
import { expectAccessibleInBoth } from "./accessible";
import { createOwner, expect, Installation, test } from "./installation";
import { ask, createBase, publishAgent, upload } from "./workshop";

/** Entries: written, found by an agent by their kind, saved from runs, and changed by two at once. */

let installation: Installation;
let page: Page;
let baseAddress: string;

const DECISION = "Lanterns are lent for nineteen days only, because longer loans came back broken.";
const SEARCH = 'Call knowledge_search with {"query":"how long are lanterns lent","kind":"decision"}';

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  installation = await Installation.start({ demo: "off", model: "scripted", script: "library-desk" });
  page = await browser.newPage({ baseURL: installation.url });
  await createOwner(page, installation);
  await createBase(page, "Lighthouse papers");
  baseAddress = new URL(page.url()).pathname;
  await upload(page, [
    { name: "lanterns.txt", content: textFile("Lanterns are lent to sailors, lanterns of all kinds.") },
  ]);
});
test.afterAll(async () => {
  await page?.close();
  await installation?.stop();
});

const dialog = () => page.getByRole("dialog");
const rows = () => page.locator("table.docs tbody tr");

/** As with the keyboard: the list opens, and what is typed finds the option. */
async function chooseKind(kind: string): Promise<void> {
  await dialog().getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: new RegExp(`^${kind}`) }).click();
}

test("an entry is written in a form that says what is missing, and listed with its kind", async () => {
  await page.getByRole("button", { name: "Write an entry…" }).click();
  await expect(dialog().getByLabel("Title")).toBeFocused();
  await dialog().getByRole("button", { name: "Save entry" }).click();
  for (const words of ["Give it a title.", "Choose what kind of entry it is.", "Write something."]) {
    await expect(dialog().getByText(words)).toBeVisible();
  }
  await expectAccessibleInBoth(page, "the form of an entry");
  await dialog().getByLabel("Title").fill("How long lanterns are lent");
  await chooseKind("Decision");
  await dialog().getByLabel("Text").fill(DECISION);

  // One slip throws nothing away.
  await page.keyboard.press("Escape");
  await expect(dialog().getByText("What you typed is not saved.")).toBeVisible();
  await dialog().getByRole("button", { name: "Keep it" }).click();
  await dialog().getByRole("button", { name: "Save entry" }).click();
  await expect(dialog()).toBeHidden();
  const row = page.getByRole("row", { name: /How long lanterns are lent/ });
  await expect(row).toContainText("Decision");
  await expect(row.getByText("Ready")).toBeVisible({ timeout: 60_000 });
  await expect(rows()).toHaveCount(2);
});

test("the list is narrowed to a kind, in the address, also on a phone", async () => {
  await page.getByRole("combobox", { name: "Kind of the documents" }).click();
  await page.getByRole("option", { name: "Decisions" }).click();
  await expect(page).toHaveURL(/kind=decision/);
  await expect(rows()).toHaveCount(1);
  await expectAccessibleInBoth(page, "documents of one kind");
  await page.goto(`${baseAddress}?kind=antipattern`);
  await expect(page.getByText("No antipattern yet")).toBeVisible();
  await page.getByRole("button", { name: "Show all documents" }).click();
  await expect(rows()).toHaveCount(2);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowing(page)).toEqual([]);
  await page.getByRole("button", { name: "Write an entry…" }).click();
  await expect(dialog().getByLabel("Title")).toBeVisible();
  expect(await overflowing(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("a search to try looks at one kind alone", async () => {
  await page.goto(`${baseAddress}?tab=search`);
  await page.getByLabel("Question").fill("lanterns");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const hits = page.locator("table.hits tbody tr");
  await expect(hits).toHaveCount(2);
  await page.getByRole("combobox", { name: "Kind that is searched" }).click();
  await page.getByRole("option", { name: "Decisions" }).click();
  await expect(hits).toHaveCount(1);
  await expect(hits).toContainText("Decision");
});

test("an agent finds it by its kind; its answer is saved as an entry that leads back to the run", async () => {
  await publishAgent(page, {
    ...{ name: "Reader", purpose: "Finds passages that answer a question." },
    ...{ instructions: "Search, and quote what answers the request.", knowledge: "Lighthouse papers" },
  });
  await page
    .getByRole("link", { name: "Ask", exact: true })
    .or(page.getByRole("button", { name: "Ask", exact: true }))
    .click();
  await page.waitForURL(/\/conversations\//);
  const answer = await ask(page, SEARCH);
  expect(answer).toContain("nineteen days");
  expect(answer).not.toContain("lanterns of all kinds");

  await page.getByRole("button", { name: "Save as knowledge" }).click();
  await expect(dialog().getByLabel("Title")).toHaveValue(/^Call knowledge_search/);
  await expect(dialog().getByLabel("Text")).toHaveValue(/nineteen days/);
  await expectAccessibleInBoth(page, "an answer that is saved as an entry");
  await dialog().getByRole("combobox", { name: "Knowledge base" }).click();
  await page.getByRole("option", { name: "Lighthouse papers" }).click();
  await chooseKind("Learning");
  await dialog().getByLabel("Title").fill("What the reader found of lanterns");
  await dialog().getByRole("button", { name: "Save entry" }).click();
  await expect(dialog()).toBeHidden();
  await page.getByRole("link", { name: "What the reader found of lanterns" }).click();
  await expect(page.getByRole("heading", { name: "What the reader found of lanterns" })).toBeVisible();
  await expect(page.locator(".page-head").getByText("Learning")).toBeVisible();
  await page.getByText("From the run").getByRole("link").click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
});

test("a decision of the run is offered with its reason, and saved from where it was taken", async () => {
  await page.getByRole("row", { name: /Call/ }).first().click();
  const inspector = page.getByRole("complementary", { name: "Details" });
  await inspector.getByRole("tab", { name: "Decision" }).click();
  await inspector.getByRole("button", { name: "Save as knowledge…" }).click();
  await expect(dialog().getByLabel("Text")).toHaveValue(/^Chosen: knowledge_search\n\nReason: not stated\./);
  await expect(dialog().getByRole("combobox", { name: "Kind" })).toHaveValue("Decision");
  await dialog().getByRole("combobox", { name: "Knowledge base" }).click();
  await page.getByRole("option", { name: "Lighthouse papers" }).click();
  await dialog().getByLabel("Title").fill("Why it searched");
  await dialog().getByRole("button", { name: "Save entry" }).click();
  await expect(dialog()).toBeHidden();
  await page.getByRole("link", { name: "Why it searched" }).click();
  await page.getByText("From the run").getByRole("link").click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}\?decision=/);
});

test("two who change it: the second is told, sees what was saved, and loses nothing", async ({ browser }) => {
  await page.goto(`${baseAddress}?kind=decision`);
  await page.getByRole("link", { name: "How long lanterns are lent" }).click();
  await page.getByRole("button", { name: "Edit…" }).click();
  await expect(dialog().getByLabel("Text")).toHaveValue(DECISION);
  await dialog().getByLabel("Text").fill("Mine: twenty days.");

  const context = await browser.newContext({
    baseURL: installation.url,
    storageState: await page.context().storageState(),
  });
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Edit…" }).click();
  await other.getByRole("dialog").getByLabel("Text").fill("Theirs: eighteen days.");
  await other.getByRole("dialog").getByRole("button", { name: "Save entry" }).click();
  await expect(other.getByRole("dialog")).toBeHidden();
  await context.close();

  const told = dialog().getByText(/saved this entry meanwhile/);
  // A hint may have told it before anybody tried.
  if (!(await told.isVisible())) await dialog().getByRole("button", { name: "Save entry" }).click();
  await expect(told).toBeVisible();
  await dialog().getByText("Show what was saved").click();
  await expect(dialog().getByText("Theirs: eighteen days.")).toBeVisible();
  await expect(dialog().getByLabel("Text")).toHaveValue("Mine: twenty days.");
  await expectAccessibleInBoth(page, "an entry that somebody else saved meanwhile");
  await dialog().getByRole("button", { name: "Save mine over it" }).click();
  await expect(dialog()).toBeHidden();
  await expect(page.getByText("Mine: twenty days.")).toBeVisible({ timeout: 60_000 });
});
