import type { BrowserContext, Page } from "@playwright/test";
import { RUN_LOOKS } from "@/components/runs/run-looks";
import { openFirst, press, type Screen, settle } from "./screen";

/** Lists of runs and of what is in them, with everything that opens over them. */
const LISTS: Screen[] = [
  { name: "runs", path: "/runs" },
  { name: "runs-failed", path: "/runs?status=failed" },
  { name: "runs-no-match", path: "/runs?q=nothing-is-called-this" },
  { name: "runs-narrowed", path: "/runs?status=completed&from=2020-01-01&cost=0.001&longer=1" },
  { name: "runs-likeness", path: "/runs?q=late%20delivery&rank=likeness" },
  { name: "runs-archived", path: "/runs?archived=1" },
  { name: "runs-filters", path: "/runs", act: press(/^Filters/) },
  { name: "runs-save-view", path: "/runs?status=failed", act: press("Save view…") },
  { name: "runs-files", path: "/runs", act: press("Files") },
  { name: "runs-everything", path: "/runs", act: press(/^(All runs…|Everything)/) },
  { name: "runs-menu", path: "/runs", act: press(/^Actions for|^More actions/) },
  { name: "runs-rename", path: "/runs", act: press(/^Actions for|^More actions/, "Rename…") },
  { name: "runs-tags", path: "/runs", act: press(/^Actions for|^More actions/, "Tags…") },
  { name: "runs-links", path: "/runs", act: press(/^Actions for|^More actions/, "Share a link…") },
  { name: "runs-delete", path: "/runs?status=finished", act: press(/^Actions for|^More actions/, "Delete…") },
  { name: "runs-picked", path: "/runs?status=finished", act: pickRuns },
  { name: "runs-picked-tags", path: "/runs?status=finished", act: fromBulkBar("Tags…") },
  { name: "runs-picked-delete", path: "/runs?status=finished", act: fromBulkBar("Delete…") },
  { name: "compare-pick", path: "/runs/compare" },
  { name: "decisions", path: "/decisions" },
  { name: "decisions-no-match", path: "/decisions?q=nothing-is-called-this" },
  { name: "decisions-likeness", path: "/decisions?q=who%20looks%20it%20up&rank=likeness" },
  { name: "decisions-open", path: "/decisions", act: openDecision },
  { name: "decisions-open-end", path: "/decisions", act: openDecisionEnd },
  { name: "decisions-download", path: "/decisions", act: press(/^Download/) },
  { name: "feedback", path: "/feedback" },
  { name: "feedback-no-match", path: "/feedback?q=nothing-is-called-this" },
  { name: "spending", path: "/spending" },
  ...["team", "provider", "model", "day", "run", "conversation", "call"].map((by) => ({
    name: `spending-${by}`,
    path: `/spending?by=${by}`,
  })),
  { name: "spending-none", path: "/spending?period=custom&from=2020-01-01&to=2020-01-02" },
  { name: "links-unknown", path: "/links/nothing-has-this-token" },
  { name: "usage", path: "/usage" },
  { name: "usage-dry-run", path: "/usage", act: dryRun },
  { name: "tracing", path: "/tracing" },
  { name: "webhooks", path: "/webhooks" },
];

const STEP_KINDS = ["model", "tool", "retrieval", "human"] as const;
const TABS = ["overview", "input", "output", "decision", "cost", "events", "raw"] as const;

/** Of one run of each state, the newest: all of the page, its dialogs, and the details of a row of each kind. */
export async function inspectionScreens(context: BrowserContext, url: string, chosen?: string): Promise<Screen[]> {
  const [longest, failed, waiting, running, paused] = await Promise.all(
    [["completed"], ["failed"], ["waiting"], ["running"], ["suspended"]].map((status) =>
      longestRun(context, url, status),
    ),
  );
  const large = chosen ?? longest;
  const screens = [...LISTS];
  const of = (name: string, runId: string | null | undefined) => {
    if (runId) screens.push({ name, path: `/runs/${runId}` });
  };
  of("run", large);
  of("run-failed", failed);
  of("run-waiting", waiting);
  of("run-running", running);
  of("run-suspended", paused);
  if (!large) return screens;
  const at = (query: string) => `/runs/${large}?${query}`;
  screens.push(
    ...RUN_LOOKS.slice(1).map((look) => ({ name: `run-look-${look}`, path: at(`view=${look}`) })),
    { name: "run-look-graph-played", path: at("view=graph"), act: playBack },
    { name: "run-lens-decisions", path: at("show=decisions") },
    { name: "run-lens-none", path: at("q=nothing-is-called-this") },
    { name: "run-only", path: at("kind=tool&ms=1&only=1") },
    { name: "run-filters", path: at("kind=tool"), act: press(/^More filters/) },
    { name: "run-zoomed", path: at("zoom=1000-3000") },
    { name: "run-menu", path: at(""), act: press("More actions") },
    { name: "run-links", path: at(""), act: press("More actions", "Share a link…") },
    { name: "run-again", path: at(""), act: press(/^Run again/) },
    { name: "run-compare-pick", path: `/runs/compare?left=${large}` },
    { name: "run-compare", path: `/runs/compare?left=${large}`, act: openFirst(".choose-runs a") },
    { name: "run-compare-same", path: `/runs/compare?left=${large}&right=${large}` },
    { name: "run-what-if", path: at("show=decisions&only=1&tab=decision"), act: fromDetails("What if…") },
    { name: "run-retry", path: at("kind=tool&only=1&tab=overview"), act: fromDetails("Retry from here…") },
  );
  for (const tab of [...TABS, "tasks", "mail"])
    screens.push({ name: `details-agent-${tab}`, path: at(`kind=agent&only=1&tab=${tab}`), act: pickRow });
  for (const kind of STEP_KINDS) {
    // Not every run asks somebody; one that waits does.
    const runId = kind === "human" && waiting ? waiting : large;
    for (const tab of TABS)
      screens.push({
        name: `details-${kind}-${tab}`,
        path: `/runs/${runId}?kind=${kind}&only=1&tab=${tab}`,
        act: pickRow,
      });
  }
  for (const tab of ["decision", "events", "raw"])
    screens.push({ name: `details-choice-${tab}`, path: at(`show=decisions&only=1&tab=${tab}`), act: pickRow });
  if (running)
    for (const tab of TABS)
      screens.push({
        name: `details-running-${tab}`,
        path: `/runs/${running}?kind=model&only=1&tab=${tab}`,
        act: pickRunningRow,
      });
  if (failed)
    for (const tab of TABS)
      screens.push({
        name: `details-failed-${tab}`,
        path: `/runs/${failed}?show=failed&only=1&tab=${tab}`,
        act: pickLastRow,
      });
  return screens;
}

/** Of the newest in a state the one that used the most: what there is to see is most likely in it. */
async function longestRun(context: BrowserContext, url: string, status: string[]): Promise<string | null> {
  const input = encodeURIComponent(JSON.stringify({ json: { status, limit: 50 } }));
  const response = await context.request.get(new URL(`/api/trpc/runs.list?input=${input}`, url).href);
  const { items } = (await response.json()).result.data.json as { items: { id: string; inputTokens: number }[] };
  return items.toSorted((a, b) => b.inputTokens - a.inputTokens)[0]?.id ?? null;
}

/** The first row with only what matches: its details open beside it, on a phone over it. */
function pickRow(page: Page): Promise<boolean> {
  return pick(page, "first");
}

/** What failed the deepest comes after what failed because of it. */
function pickLastRow(page: Page): Promise<boolean> {
  return pick(page, "last");
}

/** A call that goes on, and streams where its model does. */
function pickRunningRow(page: Page): Promise<boolean> {
  return pick(page, "last", "Running");
}

async function pick(page: Page, which: "first" | "last", word?: string): Promise<boolean> {
  const row = page.locator('[role="row"][aria-level]').filter({ hasText: word })[which]();
  if ((await row.count()) === 0) return false;
  await row.click();
  await page.locator('.inspector, [role="dialog"]').first().waitFor();
  return true;
}

function fromDetails(button: string) {
  return async (page: Page): Promise<boolean> => {
    if (!(await pickRow(page))) return false;
    const found = page.getByRole("button", { name: button }).first();
    if ((await found.count()) === 0 || (await found.isDisabled())) return false;
    await found.click();
    await page.getByRole("dialog").last().getByRole("button").last().waitFor();
    return true;
  };
}

async function pickRuns(page: Page): Promise<boolean> {
  const boxes = page.locator("[data-pick]");
  if ((await boxes.count()) === 0) return false;
  await boxes.first().click();
  if ((await boxes.count()) > 2) await boxes.nth(2).click();
  await page.locator(".bulk-bar").waitFor();
  return true;
}

function fromBulkBar(button: string) {
  return async (page: Page): Promise<boolean> => {
    if (!(await pickRuns(page))) return false;
    await page.locator(".bulk-bar").getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
    return true;
  };
}

async function openDecision(page: Page): Promise<boolean> {
  const first = page.locator(".decision-what").first();
  if ((await first.count()) === 0) return false;
  await first.click();
  await page.locator(".decision-body").waitFor();
  await settle(page);
  return true;
}

async function openDecisionEnd(page: Page): Promise<boolean> {
  if (!(await openDecision(page))) return false;
  await page.locator(".decision-body > *").last().scrollIntoViewIfNeeded();
  return true;
}

async function dryRun(page: Page): Promise<boolean> {
  const form = page.getByRole("region", { name: "Delete by age" });
  await form.getByRole("textbox", { name: "Runs that ended" }).fill("30");
  await form.getByRole("button", { name: "Dry run" }).click();
  const preview = form.getByRole("region", { name: "Dry run" });
  await preview.waitFor();
  await preview.scrollIntoViewIfNeeded();
  return true;
}

/** The graph as it was in the middle of the run. */
async function playBack(page: Page): Promise<boolean> {
  const slider = page.getByRole("slider", { name: "Event" });
  // Until all events are there it cannot be moved.
  await slider.and(page.locator(":enabled")).waitFor();
  await slider.focus();
  await page.keyboard.press("PageDown");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowLeft");
  return true;
}
