import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { overflowing } from "./overflow";
import { inspectionScreens } from "./run-screens";
import { openFirst, press, type Screen, settle } from "./screen";

/**
 * Pictures of the console's screens in four views, for looking at:
 *
 *   node --import tsx tests/support/screens-main.ts --out <folder> [--url http://127.0.0.1:3000] [--only "^runs"] [--views 390-dark,1440-light]
 *     [--run <id>] [--email owner@example.test] [--password …] [--chromium /usr/bin/chromium]
 *
 * Signs in (or creates the owner on a first visit), takes each screen, and reports sideways overflow and errors in
 * the console, as well as screens that could not be taken. --run: which run is looked into, else the largest of the newest. Exits with 1 when there were any. A list without entries has no page of its first entry: it is left out,
 * so the same command takes an empty workspace, the demo and one full of long names. More screens: add a line to SCREENS, or to
 * run-screens.ts.
 */

const options = {
  out: { type: "string" },
  url: { type: "string", default: "http://127.0.0.1:3000" },
  only: { type: "string", default: "" },
  views: { type: "string", default: "" },
  email: { type: "string", default: "mara@example.test" },
  password: { type: "string", default: "correct horse battery" },
  run: { type: "string" },
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
  {
    name: "tracing-preview",
    path: "/tracing",
    act: async (page) => {
      await page.getByLabel("Try it").fill("Jane <jane@example.com>, +44 20 7946 0958, order 4500012345");
      await page.getByRole("button", { name: "Show what would be stored" }).click();
      await page.getByLabel("What would be stored").scrollIntoViewIfNeeded();
    },
  },
  { name: "webhook", path: "/webhooks", act: openFirst("main tr[data-link] a") },
  { name: "webhook-new", path: "/webhooks", act: press(/^Add( a)? webhook/) },
  { name: "system", path: "/system" },
  { name: "system-backups", path: "/system?tab=backups" },
  { name: "account", path: "/account" },
];

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

async function take(page: Page, screen: Screen, label: string): Promise<void> {
  await page.goto(new URL(screen.path, values.url).href);
  await settle(page);
  if ((await screen.act?.(page)) === false) return;
  await settle(page);
  for (const what of await overflowing(page)) problems.push(`${label}: reaches over the edge: ${what}`);
  // Hiding the caret would change inputs that React is still hydrating, and be reported as an error of ours.
  await page.screenshot({ caret: "initial", path: join(out ?? "", `${label}.png`) });
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
  for (const screen of [...SCREENS, ...(await inspectionScreens(context, values.url, values.run))]) {
    if (!new RegExp(values.only).test(screen.name)) continue;
    if (screen.only && (screen.only === "wide") !== view.width >= 900) continue;
    const label = `${screen.name}-${view.name}`;
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on("pageerror", (error) => problems.push(`${label}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.location().url.endsWith("/no-such-page"))
        problems.push(`${label}: ${message.text().slice(0, 300)}`);
    });
    try {
      await take(page, screen, label);
    } catch (error) {
      problems.push(`${label}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
    await page.close();
  }
  await context.close();
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
