import type { APIRequestContext, BrowserContext } from "@playwright/test";
import pg from "pg";
import { createOwner, expect, Installation, KINDS, OWNER, test } from "./installation";
import { ask, publishAgent, publishTeam } from "./workshop";

/** Told by the owner's pages and by nobody else's. */
const READER = "Needle-Reader-7731";
const QUESTION = "What does needle 7731 say?";
const TOLD = [READER, QUESTION, OWNER.email, OWNER.name];

/** The forms in which a page is asked for: by a browser, by Next's own router, ahead of a click, and as a cache might be misled. */
const FORMS: Record<string, string>[] = [
  {},
  { rsc: "1" },
  { rsc: "1", "next-router-prefetch": "1" },
  { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
  { "x-forwarded-host": "evil.example", "x-forwarded-scheme": "nothttps", "x-rewrite-url": "/account" },
];

test("A50: a page of one workspace is not kept for another, in whatever form and order it is asked for", async ({
  browser,
}) => {
  // Where there is a real Postgres, the other one is moved to a workspace of their own; else they are in none.
  const kind = KINDS.at(-1) ?? "embedded";
  const installation = await Installation.start({ kind, demo: "off", model: "scripted", script: "library-desk" });
  const contexts: BrowserContext[] = [];
  const open = async () => {
    const context = await browser.newContext({ baseURL: installation.url });
    contexts.push(context);
    return context;
  };
  try {
    const own = await open();
    const page = await own.newPage();
    await createOwner(page, installation);
    await publishAgent(page, { name: READER, purpose: "Reads.", instructions: "Say what you are asked." });
    await publishAgent(page, { name: "Keeper", purpose: "Leads.", instructions: "Have it read.", leads: true });
    await publishTeam(page, { name: "Needles", supervisor: "Keeper", agents: [READER] });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/conversations\//);
    await ask(page, QUESTION);
    const conversation = new URL(page.url()).pathname;
    const href = await page.locator('a[href*="/runs/"]').first().getAttribute("href");
    const run = /\/runs\/[0-9a-f-]{36}/.exec(href ?? "")?.[0] ?? "";

    const other = await open();
    await joinAndLeave(page.request, other, installation);
    const stranger = await open();

    for (const path of [run, "/decisions", "/runs", conversation]) {
      for (const headers of FORMS) {
        const where = `${path} ${JSON.stringify(headers)}`;
        // Whoever comes first must not decide what the next one is given.
        const [first, ours, theirs, nobodys, again] = [
          await other.request.get(path, { headers }),
          await own.request.get(path, { headers }),
          await other.request.get(path, { headers }),
          await stranger.request.get(path, { headers }),
          await own.request.get(path, { headers }),
        ];
        for (const answer of [first, ours, theirs, nobodys, again]) {
          const kept = answer.headers()["cache-control"] ?? "";
          expect(kept, where).toMatch(/no-store/);
          expect(kept, where).not.toMatch(/public|s-maxage/);
        }
        for (const answer of [first, theirs, nobodys]) {
          const text = await answer.text();
          expect(
            TOLD.filter((word) => text.includes(word)),
            `${where}: ${answer.status()}`,
          ).toEqual([]);
          expect(text, where).not.toContain("evil.example");
        }
        // A page as such holds what is looked for: that it is missing elsewhere means something.
        for (const answer of headers.rsc ? [] : [ours, again]) {
          const text = await answer.text();
          expect(text.includes(READER) || text.includes(QUESTION), where).toBe(true);
        }
      }
    }
    // What the page of the other one shows in the end.
    const theirs = await other.newPage();
    await theirs.goto(run);
    await expect(
      theirs.getByText(/^There is no such run|You are not a member of this workspace/).first(),
    ).toBeVisible();
    await expect(theirs.getByText(READER)).toHaveCount(0);
  } finally {
    for (const context of contexts) await context.close();
    await installation.stop();
  }
});

/** Somebody signs in as a member, and then belongs elsewhere. */
async function joinAndLeave(owner: APIRequestContext, other: BrowserContext, installation: Installation) {
  const call = async (path: string, data: object) => {
    const answer = await owner.post(`/api/trpc/${path}`, { data: { json: data } });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()).result.data.json as Record<string, unknown>;
  };
  const { token } = await call("members.createInvite", { role: "editor", note: "" });
  const page = await other.newPage();
  await page.goto(`/invite#${token}`);
  await page.getByLabel("Your name").fill("Ida Berg");
  await page.getByLabel("E-mail address").fill("ida@example.test");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("button", { name: "Create the account and join" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/");
  await page.close();
  if (installation.databaseUrl === null) {
    const members = await owner.get("/api/trpc/members.list");
    const listed = (await members.json()).result.data.json as { userId: string; email: string }[];
    await call("members.remove", { userId: listed.find(({ email }) => email === "ida@example.test")?.userId });
    return;
  }
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `WITH made AS (INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'Elsewhere') RETURNING id)
       UPDATE members SET workspace_id = made.id, role = 'owner' FROM made
       WHERE user_id = (SELECT id FROM users WHERE email = 'ida@example.test')`,
    );
  } finally {
    await client.end();
  }
}
