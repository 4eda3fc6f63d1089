import type { BrowserContext, Locator, Page } from "@playwright/test";
import pg from "pg";
import { KEY_GROUPS } from "@/components/layout/keyboard-keys";
import { overflowing } from "@/tests/support/overflow";
import { expectAccessible } from "./accessible";
import { createOwner, expect, Installation, OWNER, test } from "./installation";
import { COMPARING, IN_THE_GRAPH, keyboardTrials, UNDER_WAY } from "./keyboard-trials";
import { fillWithLongTexts, LONG } from "./long-texts";
import { PAGES } from "./pages";
import { settled } from "./settled";

/**
 * Every page in the states between: empty, loading, failed, overlong, signed out, cut off. One installation, whose
 * workspace begins without anything and is filled half way.
 */

const NOBODY = "019aa6f0-0000-7000-8000-000000000001";

const slow = process.env.TEST_DATABASE_URL ? false : "a real Postgres is needed to be slow or broken";

let installation: Installation;
let context: BrowserContext;
let page: Page;
const errors: string[] = [];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  installation = await Installation.start({ demo: "off", kind: slow ? undefined : "postgres" });
  context = await browser.newContext({ baseURL: installation.url });
  page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  await createOwner(page, installation);
});
test.afterAll(async () => {
  await context?.close();
  await installation?.stop();
});

test("a new workspace says on each page what belongs there, on a phone and in the dark", async () => {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of PAGES) {
    await page.goto(path);
    await settled(page);
    expect.soft(await overflowing(page), `${path} at 390 px`).toEqual([]);
    await expectAccessible(page, path);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("what does not exist says so, and leads back to where there is something", async () => {
  for (const [path, link] of [
    [`/runs/${NOBODY}`, "All runs"],
    [`/runs/compare?left=${NOBODY}&right=${NOBODY}`, "All runs"],
    [`/conversations/${NOBODY}`, "All conversations"],
    [`/teams/${NOBODY}`, "All teams"],
    ["/teams/no-id-at-all", "All teams"],
    [`/agents/${NOBODY}`, "All agents"],
    [`/knowledge/${NOBODY}`, "All knowledge bases"],
    [`/knowledge/${NOBODY}/documents/${NOBODY}`, "All documents of the base"],
    [`/tool-servers/${NOBODY}`, "All tools"],
    ["/no-such-page", "Go to Home"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(/^There is no(thing| such)/), path).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: link }), path).toBeVisible();
  }
});

/** Pages, the table each reads, its title, and what it says when it cannot. */
const SLOW_PAGES = [
  { path: "/", table: "runs", title: null, failed: "Home could not be loaded" },
  { path: "/runs", table: "runs", title: "Runs", failed: "The runs could not be loaded" },
  { path: "/conversations", table: "conversations", title: "Conversations", failed: "The conversations could not be" },
  { path: "/conversations/new", table: "team_versions", title: "Conversations", failed: "The teams and agents could" },
  { path: "/teams", table: "teams", title: "Teams", failed: "The teams could not be loaded" },
  { path: "/agents", table: "agents", title: "Agents", failed: "The agents could not be loaded" },
  { path: `/agents/${NOBODY}`, table: "agents", title: null, failed: "The agent could not be loaded" },
  { path: "/knowledge", table: "knowledge_bases", title: "Knowledge", failed: "The knowledge bases could not be" },
  { path: "/tool-servers", table: "tool_servers", title: "Tools", failed: "The tool servers could not be loaded" },
  { path: "/providers", table: "providers", title: "Models", failed: "The models could not be loaded" },
] as const;
const FAILING: readonly string[] = ["/", "/conversations", "/agents", "/tool-servers"];
const TABLES = [...new Set(SLOW_PAGES.map(({ table }) => table))];

async function closeTabs(): Promise<void> {
  for (const tab of context.pages()) if (tab !== page) await tab.close();
}

/** How far down the page something is, in pixels; it may come with the next piece of the page. */
async function topOf(shown: Locator): Promise<number> {
  let top: number | undefined;
  await expect.poll(async () => (top = (await shown.boundingBox())?.y)).toBeDefined();
  return top ?? Number.NaN;
}

test("a page that waits for the database shows its title and the shape of what comes, and nothing jumps", async () => {
  test.skip(slow !== false, String(slow));
  const client = new pg.Client({ connectionString: installation.databaseUrl ?? "" });
  await client.connect();
  try {
    for (const { path, table, title } of SLOW_PAGES) {
      // Home reads runs in so many ways at once that none of the server's connections would be left for the frame around it.
      if (path === "/") continue;
      await client.query("BEGIN");
      await client.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`);
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator(".skeleton-rows, .start-skeleton").first(), path).toBeVisible();
      const heading = title === null ? null : page.getByRole("heading", { level: 1, name: title });
      const before = heading && (await topOf(heading));
      await client.query("ROLLBACK");
      await settled(page);
      if (heading) expect(await topOf(heading), path).toBe(before);
    }
  } finally {
    await client.end();
  }
});

test("a page that cannot be read says so, keeps its navigation, and comes when asked again", async () => {
  test.skip(slow !== false, String(slow));
  const client = new pg.Client({ connectionString: installation.databaseUrl ?? "" });
  await client.connect();
  const renameAll = async (from: string, to: string) => {
    for (const table of TABLES) await client.query(`ALTER TABLE "${table}${from}" RENAME TO "${table}${to}"`);
  };
  const failing: { tab: Page; path: string; alert: Locator }[] = [];
  try {
    await renameAll("", "_gone");
    try {
      // Together, as each asks a few times before it gives up; no more, as a browser has six connections and each tab keeps one.
      await Promise.all(
        SLOW_PAGES.filter(({ path }) => FAILING.includes(path)).map(async ({ path, failed }) => {
          const tab = await context.newPage();
          await tab.goto(path, { waitUntil: "commit" });
          const alert = tab.getByRole("alert").filter({ hasText: failed });
          await expect(alert, path).toContainText("Something went wrong on the server", { timeout: 60_000 });
          await expect(tab.getByRole("navigation", { name: "Main" }).first()).toBeVisible();
          failing.push({ tab, path, alert });
        }),
      );
    } finally {
      await renameAll("_gone", "");
    }
    for (const { tab, path, alert } of failing) {
      await alert.getByRole("button", { name: "Try again" }).click();
      await expect(alert, path).toHaveCount(0);
      await settled(tab);
    }
    await failing[0]?.tab.getByRole("link", { name: "Agents", exact: true }).click();
    await expect(failing[0]?.tab ?? page).toHaveURL(/\/agents$/);
  } finally {
    await client.end();
    await closeTabs();
  }
});

/** A40: names, texts, documents and answers are words on the page, whatever they look like. */
async function expectOnlyWords(path: string): Promise<void> {
  const foreign = page.locator("img[src='x'], main script:not([nonce]), a[href^='javascript:']");
  expect.soft(await foreign.count(), path).toBe(0);
  expect.soft(await page.evaluate(() => "ran" in window), path).toBe(false);
}

test("the longest names fit each page on a phone, and are accessible on a desktop", async () => {
  const detailPages = await fillWithLongTexts(page);
  await page.goto(detailPages.find((path) => path.startsWith("/runs/")) ?? "/");
  await expect(page.locator(".run-meta").getByText(/Succeeded|Failed/)).toBeVisible({ timeout: 60_000 });
  for (const path of [...PAGES, ...detailPages]) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await settled(page);
    expect.soft(await overflowing(page), `${path} at 390 px`).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect.soft(await overflowing(page), `${path} at 1440 px`).toEqual([]);
    await expectOnlyWords(path);
    // The lists were looked at while they were empty, and are full in console.spec.ts.
    if (detailPages.includes(path)) await expectAccessible(page, path);
  }
  await page.goto(detailPages[0] ?? "/");
  await expect(page).toHaveTitle(new RegExp(`^${LONG.word} · Agents · Troupe$`));
});

/** Where the keyboard is, in words, and whether one sees it. */
function focused(on: Page): Promise<{ what: string; seen: boolean }> {
  return on.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { what: "nothing", seen: false };
    const box = element.getBoundingClientRect();
    // A control may show its focus on the frame around it.
    const rings = [element, element.parentElement, element.closest("label")].filter((each) => each !== null);
    const ringed = rings.some((each) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(each);
      const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
      const isAccent = accent !== "" && borderColor === getComputedStyle(document.body).getPropertyValue("--accent");
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none" || isAccent;
    });
    // A radio of a row of choices has no size of its own: its label, which follows it, shows the focus.
    const sibling = element.nextElementSibling;
    const onSibling = sibling !== null && getComputedStyle(sibling).outlineStyle !== "none";
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
    return { what: `${element.tagName} ${words}`, seen: onSibling || (box.width > 0 && ringed) };
  });
}

test("Tab reaches every control of a page in order, and one always sees where one is", async () => {
  for (const path of ["/", "/runs", "/agents/new", "/knowledge", "/providers"]) {
    await page.goto(path);
    await settled(page);
    const wanted = await page.locator("main").evaluate((main) => {
      const all = main.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), textarea, summary");
      const radios = new Set<string>();
      return [...all].filter((each) => {
        if (each.tabIndex < 0 || each.matches(":disabled") || !each.checkVisibility({ visibilityProperty: true }))
          return false;
        if (!(each instanceof HTMLInputElement) || each.type !== "radio") return true;
        // One stop for a group.
        if (radios.has(each.name)) return false;
        radios.add(each.name);
        return true;
      }).length;
    });
    await page.locator("main").focus();
    const blind: string[] = [];
    let reached = 0;
    let last = -1;
    let backwards = 0;
    for (;;) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate(() => {
        const main = document.querySelector("main");
        const element = document.activeElement;
        if (!main || !element || !main.contains(element)) return null;
        return [...main.querySelectorAll("*")].indexOf(element);
      });
      if (place === null || reached > 200) break;
      reached += 1;
      if (place < last) backwards += 1;
      last = place;
      const { what, seen } = await focused(page);
      if (!seen) blind.push(what);
    }
    expect.soft(blind, `${path}: the focus cannot be seen on`).toEqual([]);
    expect.soft(backwards, `${path}: Tab goes back`).toBe(0);
    expect.soft(reached, `${path}: controls reached of ${wanted}`).toBeGreaterThanOrEqual(wanted);
  }
});

test("the first Tab skips to the content", async () => {
  await page.goto("/agents");
  await settled(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("dialogs open with Enter or Space, keep the focus inside, and give it back on Escape", async () => {
  for (const [path, name, key] of [
    ["/runs", "Start a run", "Enter"],
    ["/knowledge", "New base", "Space"],
    ["/tool-servers", "Add server", "Enter"],
    ["/providers", "Add provider", "Space"],
    ["/members", "Invite…", "Enter"],
  ] as const) {
    await page.goto(path);
    await settled(page);
    const button = page.getByRole("main").getByRole("button", { name, exact: true }).first();
    await button.focus();
    await page.keyboard.press(key);
    const dialog = page.getByRole("dialog");
    await expect(dialog, path).toBeVisible();
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)), path).toBe(true);
    for (let press = 0; press < 12; press++) await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement)), path).toBe(true);
    await page.keyboard.press("Escape");
    await expect(dialog, path).toHaveCount(0);
    await expect(button, path).toBeFocused();
  }
});

test("a dialog gives the focus back also to what had it before the page was at work", async () => {
  await page.goto("/providers");
  await settled(page);
  // As React does with the focus of a part it has not taken over yet.
  await page.evaluate(() => document.addEventListener("focusin", (event) => event.stopPropagation(), true));
  const button = page.getByRole("main").getByRole("button", { name: "Add provider", exact: true }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("a dialog opened from a menu gives the focus back to what opened the menu, and what it loads gets the focus", async () => {
  await page.goto("/runs");
  await settled(page);
  const actions = page
    .getByRole("main")
    .getByRole("button", { name: /^Actions for/ })
    .first();
  await actions.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Rename…" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(actions).toBeFocused();

  await page.getByRole("main").getByRole("button", { name: "Start a run", exact: true }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("What should it do?")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("what cannot be fetched when it is asked for takes nothing else of the page away, and comes once the server is back", async () => {
  await page.goto("/runs");
  await settled(page);
  await page.locator("a[data-row-link]").first().click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  const tree = page.getByRole("treegrid");
  await expect(tree).toBeVisible();
  const chunks = "**/_next/static/chunks/**";
  await page.route(chunks, (route) => route.abort());
  const dialog = page.getByRole("dialog");
  try {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Tags…" }).click();
    await expect(dialog).toContainText("It could not be fetched from the server");
    await expectAccessible(page);
    await expect(tree).toBeAttached();
  } finally {
    await page.unroute(chunks);
  }
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(dialog.getByRole("heading", { name: "Tags of this run" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

/** Opens the page while its scripts are held back: what is there until they come is what the server drew. */
async function beforeScripts(path: string, during: (arrive: () => void) => Promise<void>) {
  const scripts = "**/_next/static/**";
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(scripts, async (route) => {
    if (route.request().resourceType() === "script") await arrived;
    await route.continue();
  });
  try {
    await page.goto(path, { waitUntil: "commit" });
    await during(arrive);
  } finally {
    arrive();
    await page.unroute(scripts);
  }
}

test("a button that had the focus before the page's scripts came gets it back from its dialog", () =>
  beforeScripts("/tool-servers", async (arrive) => {
    const button = page.getByRole("main").getByRole("button", { name: "Add server", exact: true }).first();
    await button.focus();
    const live = page.waitForRequest(/live\.follow/);
    arrive();
    await live;
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  }));

test("a button pressed before the page's scripts came does what it says once they are there", async () => {
  for (const press of ["by key", "by mouse"]) {
    await beforeScripts("/spending?by=call&end=content_filter", async (arrive) => {
      const button = page.getByRole("main").getByRole("button", { name: "Clear the filters" });
      if (press === "by key") await button.press("Enter");
      else await button.click();
      arrive();
      await expect(button, press).toHaveCount(0);
      await expect(page).toHaveURL(/\/spending\?by=call$/);
    });
  }
});

test("every key of the sheet does what it says", async () => {
  const lines = KEY_GROUPS.flatMap(({ title, keys }) => keys.map(({ does }) => `${title}: ${does}`));
  const trials = keyboardTrials(page);
  expect([...Object.keys(trials), ...UNDER_WAY, ...COMPARING, ...IN_THE_GRAPH].sort()).toEqual(lines.sort());
  for (const [line, trial] of Object.entries(trials)) await test.step(line, trial);
});

const SIGNS: Record<string, string> = {
  "↓": "ArrowDown",
  "↑": "ArrowUp",
  "←": "ArrowLeft",
  "→": "ArrowRight",
  "−": "-",
  Space: " ",
};
/** What stands for several: digits between two, and plus, which is the equals sign's key with Shift. */
const SEVERAL: Record<string, string[]> = { "–": ["2", "3", "4", "5", "6", "7"], "+": ["+", "="] };

test("every key that does something is on the sheet", async () => {
  const listed = new Set(
    KEY_GROUPS.flatMap(({ keys }) => keys.flatMap(({ press }) => press.map((key) => SIGNS[key] ?? key))).flatMap(
      (key) => SEVERAL[key] ?? [key.length === 1 ? key.toLowerCase() : key],
    ),
  );
  for (const path of ["/runs", "/conversations", "/agents/new", "run"]) {
    if (path === "run") {
      await page.goto("/runs");
      await page.getByRole("main").locator("a[data-row-link]").first().click();
      await expect(page.getByRole("treegrid")).toBeVisible();
    } else await page.goto(path);
    await settled(page);
    const taken = await page.evaluate(() => {
      const keys = [..."abcdefghijklmnopqrstuvwxyz0123456789/?.,;-+=[]", "Home", "End", "PageUp", "PageDown", "Delete"];
      return [...keys, "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"].filter((key) => {
        const code = /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
        const event = new KeyboardEvent("keydown", {
          key,
          code,
          shiftKey: key === "?",
          bubbles: true,
          cancelable: true,
        });
        document.body.dispatchEvent(event);
        return event.defaultPrevented;
      });
    });
    expect(taken.length, path).toBeGreaterThan(1);
    expect(
      taken.filter((key) => !listed.has(key)),
      path,
    ).toEqual([]);
  }
});

test("a session that ends asks for the password on top of the page, and what was typed is saved after it", async () => {
  await page.goto("/agents/new");
  await page.getByLabel("Name", { exact: true }).fill("Kept over a sign-in");
  await page.getByLabel("Purpose").fill("Not lost.");
  const cookies = await context.cookies();
  await context.clearCookies();
  // Something else may ask first: the dialog then lies above the button already.
  await page.getByRole("button", { name: "Save draft" }).dispatchEvent("click");
  const dialog = page.getByRole("dialog", { name: "You were signed out" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, "signed out");

  await page.keyboard.press("Escape");
  await expect(page.getByText("You were signed out. Nothing here can be saved")).toBeVisible();
  await expect(page.getByLabel("Purpose")).toHaveValue("Not lost.");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.getByLabel("Password", { exact: true }).fill("wrong password entirely");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL(/\/agents\/[0-9a-f-]{36}/);
  await expect(page.getByLabel("Purpose")).toHaveValue("Not lost.");
  expect(cookies.length).toBeGreaterThan(0);
});

test("what one person changes appears with another, also what that one may do, until it is removed and told so", async ({
  browser,
}) => {
  const invited = await page.request.post("/api/trpc/members.createInvite", {
    data: { json: { role: "editor", note: "" } },
  });
  const { token } = (await invited.json()).result.data.json as { token: string };
  const theirs = await browser.newContext({ baseURL: installation.url });
  const other = await theirs.newPage();
  try {
    await other.goto(`/invite#${token}`);
    await other.getByLabel("Your name").fill("Ida Berg");
    await other.getByLabel("E-mail address").fill("ida@example.test");
    await other.getByLabel("Password", { exact: true }).fill("a long enough password");
    await other.getByRole("button", { name: "Create the account and join" }).click();
    await other.waitForURL(({ pathname }) => pathname === "/");
    await other.getByRole("link", { name: "Agents", exact: true }).first().click();
    await expect(other.getByRole("link", { name: "Kept over a sign-in" })).toBeVisible();

    await page.getByLabel("Name", { exact: true }).fill("Renamed by the owner");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(other.getByRole("link", { name: "Renamed by the owner" })).toBeVisible();

    const create = other.getByRole("link", { name: "New agent" });
    await expect(create).toBeVisible();
    await page.goto("/members");
    await page.getByRole("combobox", { name: "Role of Ida Berg" }).click();
    await page.getByRole("option", { name: "Viewer: looks only" }).click();
    await expect(create).toHaveCount(0);
    await expect(other.getByText("You cannot change this here.")).toBeVisible();
    await page.getByRole("button", { name: "Remove Ida Berg" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await expect(other.getByText("You are not a member of this workspace")).toBeVisible();
    await other.reload();
    await expect(other.getByText("You are not a member of this workspace")).toBeVisible();
    await expect(other.getByRole("button", { name: "Sign out" })).toBeVisible();
  } finally {
    await theirs.close();
  }
});

test("a lost connection is said once, quietly, and goes by itself", async () => {
  const stream = "**/api/trpc/live.follow**";
  await page.route(stream, (route) => route.abort());
  await page.goto("/runs");
  await settled(page);
  const words = page.getByText("Connection lost, trying again");
  await expect(words).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await page.unroute(stream);
  await expect(words).toHaveCount(0, { timeout: 45_000 });
  expect(errors).toEqual([]);
});
