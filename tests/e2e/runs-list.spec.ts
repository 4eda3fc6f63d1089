import type { BrowserContext, Page } from "@playwright/test";
import pg from "pg";
import { createOwner, expect, Installation, KINDS, OWNER, startDemoRun, test } from "./installation";
import { downloadedList, pressInMenu } from "./menus";

/** What people keep order with: tags, saved views, the archive, links, deleting one by one, many at once and by age. */

const TITLES = ["What is kept of a decision?", "Who may open a run?", "What does a retry keep?"] as const;

let installation: Installation;
let context: BrowserContext;
let page: Page;
const ids = new Map<string, string>();

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  // A real Postgres where there is one: what is old enough to go by age can be made there.
  installation = await Installation.start({ kind: KINDS.at(-1) });
  context = await browser.newContext({ baseURL: installation.url });
  page = await context.newPage();
  await createOwner(page, installation);
  for (const title of TITLES) {
    ids.set(title, await startDemoRun(page, title));
    await page.getByRole("button", { name: "Stop…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop the run" }).click();
    await expect(page.locator(".run-meta")).toContainText("Stopped");
  }
});
test.afterAll(async () => {
  await context?.close();
  await installation?.stop();
});

const row = (title: string) => page.getByRole("main").getByRole("row", { name: title });
const bar = () => page.getByRole("region", { name: "Selected runs" });
const dialog = () => page.getByRole("dialog");
const views = () => page.getByRole("navigation", { name: "Saved views" });

async function pick(...titles: readonly string[]): Promise<void> {
  for (const title of titles) await page.getByRole("checkbox", { name: `Select “${title}”` }).check();
  await expect(bar()).toContainText(`${titles.length} run${titles.length === 1 ? "" : "s"} selected`);
}

test("it is said what a run is about, shown on its page and in its states, and leads to the runs about the same", async () => {
  await page.goto("/runs");
  await page
    .getByRole("button", { name: /^Start a run/ })
    .first()
    .click();
  await dialog().getByLabel("What should it do?").fill("What is a run about?");
  await dialog().getByText("Context", { exact: true }).click();
  await dialog().getByRole("button", { name: "Add a variable" }).click();
  await dialog().getByLabel("Name of variable 1").fill("desk");
  await dialog().getByLabel("Value of desk").fill("support");
  await dialog().getByRole("button", { name: "Add an entity" }).click();
  await dialog().getByLabel("Type of entity 1").fill("an order");
  await dialog().getByLabel("Id of entity 1").fill("47:11");
  await dialog().getByLabel("Label of 47:11").fill("Kettle");
  await dialog().getByRole("button", { name: "Start", exact: true }).click();
  await expect(dialog().getByText("A letter first")).toBeVisible();
  await expect(dialog().getByLabel("Type of 47:11")).toBeFocused();
  await dialog().getByLabel("Type of 47:11").fill("order");
  await dialog().getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);

  // It opens on what waits for a person, where something does already.
  await page
    .getByRole("treegrid")
    .getByRole("row", { name: /Supervisor/ })
    .first()
    .click();
  const overview = page.getByRole("tabpanel", { name: "Overview" });
  await expect(overview).toContainText("Variables, 1");
  await expect(overview).toContainText("support");
  await page.getByRole("tab", { name: "State" }).click();
  const states = page.getByRole("region", { name: "View of the run" });
  await states.getByRole("switch", { name: "Also what stayed the same" }).click();
  await expect(states.getByRole("row", { name: /order 47:11/ })).toContainText("Kettle");
  await expect(states.getByRole("row", { name: /desk, text/ })).toContainText("support");

  await page.locator(".run-meta").getByRole("link", { name: "order Kettle" }).click();
  await page.waitForURL((url) => url.pathname === "/runs" && url.searchParams.get("about") === "order:47:11");
  await expect(page.getByRole("list", { name: "Filters that are set" })).toContainText("About order:47:11");
  await expect(row("What is a run about?")).toBeVisible();
  await expect(row(TITLES[0])).toHaveCount(0);
  await page.getByRole("button", { name: /About order:47:11/ }).click();
  await expect(row(TITLES[0])).toBeVisible();
});

test("many are tagged at once, and the filter by a tag is kept as a view", async () => {
  const [first, second, third] = TITLES;
  await page.goto("/runs");
  await pick(first, second);
  await bar().getByRole("button", { name: "Tags…" }).click();
  await dialog().getByLabel("Add", { exact: true }).fill("to read");
  await page.keyboard.press("Enter");
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect(dialog()).toHaveCount(0);
  await expect(row(first)).toContainText("to read");
  await expect(row(second)).toContainText("to read");
  await expect(row(third)).not.toContainText("to read");

  await page.goto("/runs?tag=to+read");
  await expect(row(third)).toHaveCount(0);
  await page.getByRole("button", { name: "Save view…" }).click();
  await dialog().getByLabel("Name").fill("Reading list");
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect(views().getByRole("button", { name: "Reading list", exact: true })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await views().getByRole("button", { name: "All runs" }).click();
  await expect(row(third)).toBeVisible();
  await page.goto("/runs");
  await views().getByRole("button", { name: "Reading list", exact: true }).click();
  await expect(row(first)).toBeVisible();
  await expect(row(third)).toHaveCount(0);
});

test("the runs of a filter are taken along as CSV and as JSON, by mouse and by keyboard", async () => {
  const [first, second] = TITLES;
  await page.goto("/runs?tag=to+read");
  await expect(row(first)).toBeVisible();
  const { name, rows } = await downloadedList(page.getByRole("button", { name: "Files" }));
  expect(name).toBe("runs");
  // The newest first.
  expect(rows).toMatchObject(
    [second, first].map((title) => ({ id: ids.get(title), title, state: "aborted", tags: "to read", imported: false })),
  );
});

test("what is archived leaves the list until it is taken back", async () => {
  const [first, second, third] = TITLES;
  await page.goto("/runs");
  await pick(first, second);
  await bar().getByRole("button", { name: "Archive" }).click();
  await expect(row(first)).toHaveCount(0);
  await expect(row(third)).toBeVisible();
  await page.goto("/runs?archived=1");
  await expect(row(third)).toHaveCount(0);
  await pick(first, second);
  await bar().getByRole("button", { name: "Take back" }).click();
  await expect(row(first)).toHaveCount(0);
  await page.goto("/runs");
  await expect(row(first)).toBeVisible();
});

for (const by of ["mouse", "keyboard"] as const) {
  test(`one is archived and taken back in its own menu, by ${by}`, async () => {
    const [first, , third] = TITLES;
    const more = page.getByRole("button", { name: "More actions" });
    await page.goto(`/runs/${ids.get(third)}`);
    await pressInMenu(more, "Archive", by);
    await expect(page.getByText("Archived. The filter “Archived” shows it.")).toBeVisible();
    await page.goto("/runs");
    await expect(row(first)).toBeVisible();
    await expect(row(third)).toHaveCount(0);
    await page.goto("/runs?archived=1");
    await expect(row(third)).toBeVisible();

    await page.goto(`/runs/${ids.get(third)}`);
    await pressInMenu(more, "Take back into the list", by);
    await expect(page.getByText("Back in the list of runs.")).toBeVisible();
    await page.goto("/runs");
    await expect(row(third)).toBeVisible();
  });
}

test("a link leads a member to what was selected, and nowhere once it is taken back", async () => {
  const runId = ids.get(TITLES[0]) ?? "";
  await page.goto(`/runs/${runId}`);
  await page.getByRole("treegrid").focus();
  await page.keyboard.press("e");
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/[?&](at|decision|agent)=/);
  const selected = new URL(page.url()).search;
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Share a link…" }).click();
  await dialog().getByRole("button", { name: "Make a link" }).click();
  const link = await dialog().getByLabel("The new link").inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await other.waitForURL(({ pathname }) => pathname === `/runs/${runId}`);
  expect(new URL(other.url()).search).toBe(selected);
  await expect(other.getByRole("treegrid").locator('[role="row"][aria-selected="true"]')).toBeVisible();

  await dialog().getByRole("button", { name: "Take back" }).click();
  await expect(dialog()).toContainText("Taken back");
  await other.goto(link);
  await expect(other.getByText("This link leads nowhere")).toBeVisible();
  await other.close();
});

test("deleting says first what goes, and afterwards who did it", async () => {
  const [first, second] = TITLES;
  await page.goto("/runs");
  await pick(second);
  await bar().getByRole("button", { name: "Delete…" }).click();
  await expect(dialog().getByText("Goes for good")).toBeVisible();
  await expect(dialog().getByRole("list").first()).toContainText(/\d+ steps?/);
  await dialog().getByRole("button", { name: "Keep" }).click();
  await expect(row(second)).toBeVisible();
  await bar().getByRole("button", { name: "Delete…" }).click();
  await dialog().getByRole("button", { name: "Delete 1 run" }).click();
  await expect(row(second)).toHaveCount(0);
  await expect(row(first)).toBeVisible();
  await page.goto(`/runs/${ids.get(second)}`);
  await expect(page.getByText(new RegExp(`${OWNER.name} removed this run on`))).toBeVisible();
});

test("by age: a dry run names what would go and leaves it, and only that goes then", async () => {
  const [first, , third] = TITLES;
  const old = await makeOld(ids.get(third) ?? "", 40);
  await page.goto("/usage");
  const form = page.getByRole("region", { name: "Delete by age" });
  await form.getByRole("textbox", { name: "Runs that ended" }).fill("30");
  await form.getByRole("button", { name: "Dry run" }).click();
  const preview = form.getByRole("region", { name: "Dry run" });
  if (!old) {
    await expect(preview).toContainText("0 runs would be deleted.");
    return;
  }
  await expect(preview).toContainText("1 run");
  await expect(preview.getByRole("link", { name: third })).toBeVisible();
  await page.goto("/runs");
  await expect(row(third)).toBeVisible();
  await page.goto("/usage");
  await form.getByRole("textbox", { name: "Runs that ended" }).fill("30");
  await form.getByRole("button", { name: "Dry run" }).click();
  await preview.getByRole("button", { name: "Delete now…" }).click();
  await dialog().getByRole("button", { name: "Delete for good" }).click();
  await expect(dialog()).toHaveCount(0);
  await page.goto("/runs");
  await expect(row(first)).toBeVisible();
  await expect(row(third)).toHaveCount(0);
});

/** Moves a run back by so many days; false where its database cannot be reached from here. */
async function makeOld(runId: string, days: number): Promise<boolean> {
  if (!installation.databaseUrl) return false;
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    const back = "make_interval(days => $2)";
    await client.query(
      `UPDATE runs SET created_at = created_at - ${back}, started_at = started_at - ${back}, finished_at = finished_at - ${back} WHERE id = $1`,
      [runId, days],
    );
    return true;
  } finally {
    await client.end();
  }
}
