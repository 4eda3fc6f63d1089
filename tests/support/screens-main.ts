import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { overflowing } from "./overflow";

/**
 * Pictures of the console's screens in four views, for looking at:
 *
 *   node --import tsx tests/support/screens-main.ts --out <folder> [--url http://127.0.0.1:3000] [--only home] [--views 390-dark,1440-light]
 *     [--email owner@example.test] [--password …] [--chromium /usr/bin/chromium]
 *
 * Signs in (or creates the owner on a first visit), takes each screen, and reports sideways overflow and errors in
 * the console. Exits with 1 when there were any. A list without entries has no page of its first entry: it is left out,
 * so the same command takes an empty workspace, the demo and one full of long names. More screens: add a line to SCREENS.
 */

const options = {
  out: { type: "string" },
  url: { type: "string", default: "http://127.0.0.1:3000" },
  only: { type: "string", default: "" },
  views: { type: "string", default: "" },
  email: { type: "string", default: "mara@example.test" },
  password: { type: "string", default: "correct horse battery" },
  chromium: { type: "string", default: "/usr/bin/chromium" },
} as const;
const { values } = parseArgs({ options });
const out = values.out;
if (!out) throw new Error("Say where the pictures go: --out <folder>");

const VIEWS = [
  { name: "1440-light", width: 1440, height: 900, scheme: "light" },
  { name: "1440-dark", width: 1440, height: 900, scheme: "dark" },
  { name: "390-light", width: 390, height: 844, scheme: "light" },
  { name: "390-dark", width: 390, height: 844, scheme: "dark" },
] as const;

type Screen = {
  name: string;
  path: string;
  /** What to do once the page is there; false when there is nothing to show. */
  act?: (page: Page) => Promise<unknown>;
  only?: "wide" | "narrow";
};

/** How many of the newest runs are taken; a sample database has one of each state. */
const RUNS_TAKEN = 4;

const SCREENS: Screen[] = [
  { name: "home", path: "/" },
  {
    name: "home-palette",
    path: "/",
    only: "wide",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByText("Sign out").waitFor();
    },
  },
  { name: "home-keys", path: "/", only: "wide", act: (page) => page.keyboard.press("Shift+?") },
  { name: "runs", path: "/runs" },
  { name: "runs-failed", path: "/runs?status=failed" },
  { name: "runs-compare", path: "/runs/compare" },
  { name: "runs-no-match", path: "/runs?q=nothing-is-called-this" },
  {
    name: "runs-start",
    path: "/runs",
    act: async (page) => {
      await page.locator(".page-head").getByRole("button", { name: "Start a run" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "not-found", path: "/no-such-page" },
  { name: "conversations", path: "/conversations" },
  { name: "conversation", path: "/conversations", act: openFirst(".talk-row") },
  { name: "conversation-new", path: "/conversations/new" },
  { name: "conversation-first", path: "/conversations/new", act: openFirst("main .choice") },
  { name: "teams", path: "/teams" },
  { name: "team", path: "/teams", act: openFirst("main tr[data-link] a") },
  { name: "team-new", path: "/teams/new" },
  { name: "agents", path: "/agents" },
  { name: "agent", path: "/agents", act: openFirst("main tr[data-link] a") },
  { name: "agent-new", path: "/agents/new" },
  { name: "bases", path: "/knowledge" },
  { name: "base-new", path: "/knowledge", act: press("New base") },
  { name: "base", path: "/knowledge", act: openFirst("main tr[data-link] a") },
  {
    name: "base-search",
    path: "/knowledge",
    act: async (page) => (await openFirst("main tr[data-link] a")(page)) && (await openTab(page, "Try a search")),
  },
  {
    name: "base-settings",
    path: "/knowledge",
    act: async (page) => (await openFirst("main tr[data-link] a")(page)) && (await openTab(page, "Settings")),
  },
  {
    name: "document",
    path: "/knowledge",
    act: async (page) =>
      (await openFirst("main tr[data-link] a")(page)) && (await openFirst('main a[href*="/documents/"]')(page)),
  },
  { name: "tool-servers", path: "/tool-servers" },
  { name: "tool-server", path: "/tool-servers", act: openFirst("main tr[data-link] a") },
  { name: "tool-server-new", path: "/tool-servers", act: press(/^Add( a)? server/) },
  { name: "providers", path: "/providers" },
  { name: "provider-new", path: "/providers", act: press(/^Add( a)? provider/) },
  { name: "members", path: "/members" },
  { name: "member-invite", path: "/members", act: press("Invite…") },
  { name: "spending", path: "/spending" },
  { name: "spending-calls", path: "/spending?by=call" },
  { name: "usage", path: "/usage" },
  { name: "tracing", path: "/tracing" },
  {
    name: "tracing-preview",
    path: "/tracing",
    act: async (page) => {
      await page.getByLabel("Try it").fill("Jane <jane@example.com>, +44 20 7946 0958, order 4500012345");
      await page.getByRole("button", { name: "Show what would be stored" }).click();
      await page.getByLabel("What would be stored").scrollIntoViewIfNeeded();
    },
  },
  { name: "system", path: "/system" },
  { name: "system-backups", path: "/system?tab=backups" },
  { name: "account", path: "/account" },
];

/** Follows the first link of a list to its own page. */
function openFirst(selector: string): (page: Page) => Promise<boolean> {
  return async (page) => {
    await settle(page);
    const link = page.locator(selector).first();
    if ((await link.count()) === 0) return false;
    const { href } = new URL(page.url());
    await link.click();
    await page.waitForURL((url) => url.href !== href);
    await settle(page);
    return true;
  };
}

/** Opens the dialog behind a button. */
function press(name: string | RegExp): (page: Page) => Promise<boolean> {
  return async (page) => {
    const button = page.getByRole("main").getByRole("button", { name }).first();
    if ((await button.count()) === 0) return false;
    await button.click();
    await page.getByRole("dialog").waitFor();
    return true;
  };
}

async function openTab(page: Page, name: string): Promise<boolean> {
  // The radio itself has no size: its label is what is pressed.
  await page.getByRole("main").locator("label", { hasText: name }).first().click();
  return true;
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL("/", values.url).href);
  if (new URL(page.url()).pathname === "/setup") {
    await page.getByLabel("Your name").fill("Mara Lind");
    await page.getByLabel("E-mail address").fill(values.email);
    await page.getByRole("textbox", { name: "Password" }).fill(values.password);
    await page.locator('button[type="submit"]').click();
  } else if (new URL(page.url()).pathname === "/sign-in") {
    await page.getByLabel("E-mail address").fill(values.email);
    await page.getByRole("textbox", { name: "Password" }).fill(values.password);
    await page.locator('button[type="submit"]').click();
  }
  await page.waitForURL((url) => url.pathname === "/");
  await page.close();
}

/** Fonts are in, nothing is loading, React has taken over every control, and animations have ended. */
async function settle(page: Page): Promise<void> {
  await page.locator("main").first().waitFor();
  await page.waitForFunction(() => {
    const controls = [...document.querySelectorAll("main a, main button, main input, main time, nav a")];
    // No named functions in here: the loader wraps them in a helper that the page does not have.
    const hydrated = controls.every((control) => Object.keys(control).some((key) => key.startsWith("__reactFiber")));
    const isLoading = document.querySelector(".skeleton-rows, .start-skeleton");
    return document.fonts.status === "loaded" && !isLoading && hydrated;
  });
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  );
}

async function runScreens(context: BrowserContext): Promise<Screen[]> {
  const page = await context.newPage();
  await page.goto(new URL("/runs", values.url).href);
  await settle(page);
  const links = await page.locator("a[data-row-link]").all();
  const paths = await Promise.all(links.slice(0, RUNS_TAKEN).map((link) => link.getAttribute("href")));
  await page.close();
  return paths.flatMap((path, index) => (path ? [{ name: `run-${index + 1}`, path }] : []));
}

await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath: values.chromium, args: ["--no-sandbox"] });
const problems: string[] = [];
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined;

for (const view of VIEWS) {
  if (values.views && !values.views.split(",").includes(view.name)) continue;
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.height },
    colorScheme: view.scheme,
    hasTouch: view.width < 900,
    reducedMotion: "no-preference",
    storageState: signedIn,
  });
  if (!signedIn) {
    await signIn(context);
    signedIn = await context.storageState();
  }
  for (const screen of [...SCREENS, ...(await runScreens(context))]) {
    if (!screen.name.includes(values.only)) continue;
    if (screen.only && (screen.only === "wide") !== view.width >= 900) continue;
    const label = `${screen.name}-${view.name}`;
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`${label}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.location().url.endsWith("/no-such-page"))
        problems.push(`${label}: ${message.text().slice(0, 300)}`);
    });
    await page.goto(new URL(screen.path, values.url).href);
    await settle(page);
    if ((await screen.act?.(page)) === false) {
      await page.close();
      continue;
    }
    await settle(page);
    for (const what of await overflowing(page)) problems.push(`${label}: reaches over the edge: ${what}`);
    // Hiding the caret would change inputs that React is still hydrating, and be reported as an error of ours.
    await page.screenshot({ caret: "initial", path: join(out, `${label}.png`) });
    await page.close();
  }
  await context.close();
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
