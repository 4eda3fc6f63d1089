import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { SCALE_DEFAULTS } from "@/prisma/seed/scale/options";
import { scale } from "@/prisma/seed/scenarios/scale";
import { closeDb, db } from "@/server/db";
import { env } from "@/server/env";
import { isWebBuilt } from "@/server/launcher/product-build";
import { root } from "@/server/launcher/settings";
import { createOwner, Installation } from "@/tests/e2e/installation";
import { findBrowser } from "@/tests/support/browser";
import setup from "@/tests/support/databases";
import { Checked } from "./limits";
import { median } from "./retrieval-figures";
import { measureLive } from "./ui-live";

/**
 * npm run bench:ui [-- --only load,live] [--rounds 5] [--steps 10000,45000] [--json] [--check]. load: how soon the page of a large run can be used, what its first load transfers,
 * how long the browser is busy while the tree is scrolled and filtered, and how soon a step opens. Needs a Postgres
 * (TEST_DATABASE_URL): that is where runs grow so large. Each round opens the page anew, in a fresh context with a warm cache of scripts.
 * live: how busy the browser is while many agents stream at once, and whether an event is lost when connections break.
 * With --check it ends with an error where a figure misses its limit (limits.ts).
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "load,live" },
    rounds: { type: "string", default: "5" },
    steps: { type: "string", default: "10000,45000" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});
const checked = new Checked(values.check);
const rounds = Number(values.rounds);
/** Turns of the wheel, each of most of a screen. */
const SCREENS = 60;
const STEPS_OPENED = 9;
/** Of figures whose names end so; the others are times. */
const UNITS = [
  ["_kb", "kB"],
  ["_share", "%"],
  ["_per_s", "/s"],
  ["_events", "events"],
  ["_checked", "events"],
] as const;
const NONE = { ...SCALE_DEFAULTS, documents: 20, runs: 0, conversations: 0 };

type Figures = {
  interactive_ms: number;
  transfer_kb: number;
  longest_load_task_ms: number;
  longest_scroll_task_ms: number;
  longest_filter_task_ms: number;
  longest_lens_task_ms: number;
  longest_cost_filter_task_ms: number;
  step_open_ms: number;
  step_open_max_ms: number;
  prompt_open_ms: number;
};

const cleanUp = setup();
if (!isWebBuilt()) execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const only = values.only.split(",");
  if (only.includes("load")) {
    for (const steps of values.steps.split(",").map(Number)) {
      checked.expect(`ui.run${steps / 1000}k_`);
      if (steps === 10_000) checked.expect("ui.step_open");
      await measureRunOf(steps, browser);
    }
  }
  if (only.includes("live")) checked.expect("ui.live20_");
  if (only.includes("live")) for (const [name, value] of await measureLive(browser)) print(name, value);
} finally {
  await browser.close();
  await cleanUp();
}
process.exit(checked.end());

async function measureRunOf(steps: number, with_: Browser): Promise<void> {
  const installation = await Installation.start({ kind: "postgres", demo: "off" });
  try {
    const page = await with_.newPage({ viewport: { width: 1440, height: 900 } });
    // The name that the compiler gives to functions inside those that run in the page.
    await page.addInitScript("globalThis.__name = (value) => value");
    await page.addInitScript(watch);
    await createOwner(page, installation);
    process.env.DATABASE_URL = installation.databaseUrl ?? "";
    // Read once for a process; here each run has a database of its own.
    env().DATABASE_URL = installation.databaseUrl ?? "";
    if (steps === 10_000) print("ui.empty_page_interactive_ms", await measureEmptyPage(page, installation.url));
    await scale({ ...NONE, steps });
    const { id } = await db().run.findFirstOrThrow({ orderBy: { lastSeq: "desc" } });
    await closeDb();
    const url = `${installation.url}/runs/${id}`;
    // Once for the caches of scripts, of the server and of the database.
    await open(page, url);
    const taken: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      const figures = await measureOnce(page, url);
      if (!values.json) console.error(`run of ${steps} steps: ${JSON.stringify(figures)}`);
      taken.push(figures);
    }
    const name = `ui.run${steps / 1000}k`;
    for (const of of Object.keys(taken[0] ?? {}) as (keyof Figures)[]) {
      const all = taken.map((one) => one[of]);
      print(
        of.startsWith("step_open") && steps === 10_000 ? `ui.${of}` : `${name}_${of}`,
        of === "step_open_max_ms" ? Math.max(...all) : median(all),
      );
    }
    await page.close();
  } finally {
    await installation.stop();
  }
}

/** The same for a page with next to nothing on it: what the machine and the frame of the console take by themselves. */
async function measureEmptyPage(page: Page, url: string): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.goto("about:blank");
    await page.goto(`${url}/account`, { waitUntil: "commit" });
    // React has taken over what the server drew, and the browser is free.
    const tookMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () => {
            const main = document.querySelector("main");
            if (main && Object.keys(main).some((key) => key.startsWith("__reactFiber"))) {
              requestIdleCallback(() => resolve(performance.now()));
            } else requestAnimationFrame(look);
          };
          look();
        }),
    );
    // The first is for the caches.
    if (round > 0) taken.push(tookMs);
  }
  return median(taken);
}

function print(name: string, value: number): void {
  const rounded = Number(value.toFixed(1));
  checked.note(name, rounded);
  const unit = UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? "ms";
  console.log(values.json ? JSON.stringify({ name, value: rounded, unit }) : `${name.padEnd(36)} ${rounded} ${unit}`);
}

async function measureOnce(page: Page, url: string): Promise<Figures> {
  const interactiveAndTransfer = await open(page, url);
  const longest_load_task_ms = await longestTask(page);
  await page.getByRole("button", { name: "Unfold all" }).click();
  await idle(page);
  await longestTask(page);
  await scrollThrough(page);
  const longest_scroll_task_ms = await longestTask(page);
  const filter = page.getByLabel("Filter rows by name or reason");
  await filter.pressSequentially("search", { delay: 80 });
  await idle(page);
  const longest_filter_task_ms = await longestTask(page);
  await filter.fill("");
  await idle(page);
  const longest_lens_task_ms = await measureLens(page);
  const longest_cost_filter_task_ms = await measureCostFilter(page);
  const opened = await openSteps(page);
  return {
    ...interactiveAndTransfer,
    longest_load_task_ms,
    longest_scroll_task_ms,
    longest_filter_task_ms,
    longest_lens_task_ms,
    longest_cost_filter_task_ms,
    ...opened,
  };
}

/** Only the decisions of the run, and all of it again. */
async function measureLens(page: Page): Promise<number> {
  await longestTask(page);
  const lens = page.getByRole("radiogroup", { name: "Which rows to show" });
  await lens.getByText("Decisions", { exact: true }).click();
  await page.waitForURL(/show=decisions/);
  await idle(page);
  await lens.getByText("All", { exact: true }).click();
  await page.waitForURL((url) => !url.searchParams.has("show"));
  await idle(page);
  return longestTask(page);
}

/** Only what cost more than so much, and all of it again. */
async function measureCostFilter(page: Page): Promise<number> {
  await longestTask(page);
  await page.getByRole("button", { name: "More filters" }).click();
  const cost = page.getByLabel("Cost at least");
  await cost.fill("0.001");
  await cost.press("Enter");
  await page.waitForURL(/cost=/);
  await idle(page);
  await cost.fill("");
  await cost.press("Enter");
  await page.waitForURL((url) => !url.searchParams.has("cost"));
  await page.keyboard.press("Escape");
  await idle(page);
  return longestTask(page);
}

/** From the start of the navigation until rows are there and the browser is free to take a key. */
async function open(page: Page, url: string): Promise<Pick<Figures, "interactive_ms" | "transfer_kb">> {
  await page.goto("about:blank");
  const session = await page.context().newCDPSession(page);
  const dataBytes = await countData(session);
  await page.goto(url, { waitUntil: "commit" });
  const interactive = await page.waitForFunction(() => (window as Watched).usableAt, undefined, { timeout: 60_000 });
  const interactive_ms = (await interactive.jsonValue()) ?? Number.NaN;
  await idle(page);
  const transfer_kb = dataBytes() / 1024;
  await session.detach();
  return { interactive_ms, transfer_kb };
}

type Watched = Window & { usableAt?: number; tasks?: number[] };

/** Runs in the page before its own scripts: notes when rows are there and the main thread is free, and tasks of 50 ms and more. */
function watch(): void {
  const watched = window as Watched;
  watched.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks?.push(duration);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    if (!document.querySelector("[data-run-tree] [role=row][aria-selected=true]")) requestAnimationFrame(look);
    else setTimeout(() => requestIdleCallback(() => Object.assign(watched, { usableAt: performance.now() })));
  };
  requestAnimationFrame(look);
}

/** Bytes of pages and of answers of the API, as they come over the wire; scripts, styles and fonts are left out. */
async function countData(session: CDPSession): Promise<() => number> {
  const isData = new Set<string>();
  let bytes = 0;
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Document" || type === "Fetch" || type === "XHR") isData.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (isData.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Tasks of 50 ms and more since the last time it was asked; 0: there was none. */
async function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, ...((window as Watched).tasks?.splice(0) ?? [])));
}

/** Nothing is left to do in the page. */
async function idle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
}

/** Down by the wheel, a screen at a time as fast as the page draws; to the very end, and back. */
async function scrollThrough(page: Page): Promise<void> {
  await page.getByRole("treegrid").hover();
  for (let screen = 0; screen < SCREENS; screen++) {
    await page.mouse.wheel(0, 700);
    await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
  }
  await page.keyboard.press("End");
  await idle(page);
  await page.keyboard.press("Home");
  await idle(page);
}

/** A click on a step until what came out of it is shown, or the prompt of a model call, by the page's own clock. */
async function openSteps(
  page: Page,
): Promise<{ step_open_ms: number; step_open_max_ms: number; prompt_open_ms: number }> {
  const outputs = await openEach(page, ":is(.k-model, .k-retrieval)", "Output");
  const prompts = await openEach(page, ".k-model", "Prompt");
  const all = [...outputs, ...prompts];
  return { step_open_ms: median(all), step_open_max_ms: Math.max(...all), prompt_open_ms: median(prompts) };
}

async function openEach(page: Page, kind: string, tab: string): Promise<number[]> {
  const rows = page.locator(`[data-run-tree] [role=row]${kind}`);
  await rows.first().click();
  await page.getByRole("tab", { name: tab, exact: true }).click();
  const ids = await rows.evaluateAll((all) => all.map(({ id }) => id));
  const took: number[] = [];
  for (const id of ids.slice(1, 1 + STEPS_OPENED)) {
    const shown = page.evaluate(untilShown, id);
    await page.locator(`[id="${id}"]`).click();
    took.push(await shown);
  }
  return took;
}

/** Runs in the page: from the press of the mouse on a row until the details are that row's, and loaded. */
function untilShown(rowId: string | null): Promise<number> {
  return new Promise((resolve) => {
    const pressed = (event: MouseEvent) => {
      const look = () => {
        const isSelected = document.querySelector(`[role=row][aria-selected=true]`)?.id === rowId;
        const details = document.querySelector(".inspector [role=tabpanel]");
        if (isSelected && details?.querySelector(".part-head") && !details.querySelector(".skeleton-lines")) {
          resolve(performance.now() - event.timeStamp);
        } else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener("mousedown", pressed, { once: true, capture: true });
  });
}
