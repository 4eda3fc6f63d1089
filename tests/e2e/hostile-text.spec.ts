import type { Page } from "@playwright/test";
import { LOOK_WORDS, RUN_LOOKS } from "@/components/runs/run-looks";
import { HOSTILE, HOSTILE_HOST, HOSTILE_MARKUP } from "@/tests/support/hostile-text";
import { everything } from "@/tests/support/tool-servers";
import { complaintsOf } from "./complaints";
import { openEveryTab } from "./every-tab";
import { createOwner, expect, Installation, startScriptedProcess, test } from "./installation";
import { settled } from "./settled";
import { addProvider, ask, createBase, publishAgent, publishTeam, upload } from "./workshop";

const KEY = "key-of-the-scripted-endpoint";

/** What a page did that only hostile text could have had it do. */
function watch(page: Page, home: string): { dialogs: string[]; elsewhere: string[]; complaints: string[] } {
  const dialogs: string[] = [];
  const elsewhere: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(`${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== home) elsewhere.push(`${page.url()}: ${request.url()}`);
  });
  return { dialogs, elsewhere, complaints: complaintsOf(page) };
}

/** Elements that are there because text was taken for markup. */
const MADE = `[data-hostile], a[href^="javascript:" i], a[href^="data:" i], [src*="${HOSTILE_HOST}"], iframe, main script:not([nonce])`;

async function expectOnlyWords(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(
    (made) => ({
      made: [...document.querySelectorAll(made)].map(({ outerHTML }) => outerHTML.slice(0, 120)),
      ran: "ran" in window,
    }),
    MADE,
  );
  expect(found, where).toEqual({ made: [], ran: false });
}

const isShown = async (page: Page, within: string) =>
  (await page.locator(within).first().innerText()).includes("data-hostile");

test("A40: what a tool, a document and a person said stays words wherever a run shows it, and has the browser do nothing", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const endpoint = await startScriptedProcess("library-desk", KEY);
  const installation = await Installation.start({ demo: "off" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  const seen = watch(page, new URL(installation.url).origin);
  const call = async (path: string, input: object) => {
    const response = await page.request.post(`/api/trpc/${path}`, { data: { json: input } });
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
    return (await response.json()).result.data.json as { id: string };
  };
  try {
    await createOwner(page, installation);
    await addProvider(page, { url: endpoint.url, key: KEY, name: "harbour" });
    const { command, args } = everything;
    const { id } = await call("toolServers.create", {
      ...{ name: "all", transport: "stdio", url: "", command, args: [...args] },
    });
    await call("toolServers.check", { toolServerId: id });
    await createBase(page, "Papers");
    const content = Buffer.from(`# Lanterns ${HOSTILE_MARKUP}\n\nLanterns of the lighthouse: ${HOSTILE_MARKUP}\n`);
    await upload(page, [{ name: "lanterns.md", content }]);
    await publishAgent(page, {
      ...{ name: "Reader", purpose: `Reads. ${HOSTILE}`.slice(0, 300), instructions: `Read. ${HOSTILE}` },
      ...{ knowledge: "Papers", tools: [{ name: "all__echo" }] },
    });
    await publishAgent(page, { name: "Keeper", purpose: "Leads.", instructions: "Have it read.", leads: true });
    await publishTeam(page, { name: "Desk", supervisor: "Keeper", agents: ["Reader"] });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/conversations\//);
    const echo = (nth: number) => `Call all__echo with ${JSON.stringify({ message: `${nth} ${HOSTILE}` })}`;
    for (const nth of [1, 2]) await ask(page, echo(nth), `Call all__echo with {"message":"${nth}`);
    await ask(page, `What is known of lanterns? ${HOSTILE_MARKUP}`, "What is known of lanterns?");
    await expectOnlyWords(page, "the conversation as it went");
    await page.reload();
    await settled(page);
    expect(await isShown(page, ".turn-answer")).toBe(true);
    await expectOnlyWords(page, "the conversation");
    const links = await page
      .locator('a[href*="/runs/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const runIds = [...new Set(links.flatMap((href) => /\/runs\/([0-9a-f-]{36})/.exec(href ?? "")?.[1] ?? []))];
    expect(runIds).toHaveLength(3);

    const shownOn = new Set<string>();
    for (const runId of [runIds[0], runIds[2]]) {
      await page.goto(`/runs/${runId}`);
      await expect(page.locator(".run-meta").getByText("Succeeded")).toBeVisible();
      await openEveryTab(page, async ({ kind, row, tab }) => {
        await expectOnlyWords(page, `${tab} of ${row}`);
        if (await isShown(page, ".inspector [role=tabpanel]")) shownOn.add(`${kind}: ${tab}`);
      });
      for (const look of RUN_LOOKS.slice(1)) {
        await page.goto(`/runs/${runId}?view=${look}`);
        await settled(page);
        await expect(page.getByRole("region", { name: "View of the run" })).not.toBeEmpty();
        await expectOnlyWords(page, look);
        if (await isShown(page, ".run-look")) shownOn.add(LOOK_WORDS[look]);
      }
    }
    // It was there to be taken for something else.
    for (const place of [
      ...[
        "Tool call: Input",
        "Tool call: Output",
        "Model call: Prompt",
        "Model call: Output",
        "Search in knowledge: Output",
      ],
      ...["Agent run: Input", "Agent run: Output", "Agent run: Raw", "Decision: Decision", "Root agent run: Events"],
      ...["Conversation", "Knowledge", "Messages"],
    ])
      expect([...shownOn]).toContain(place);

    await page.goto(`/runs/compare?left=${runIds[0]}&right=${runIds[2]}`);
    await expect(page.locator(".divergence")).toBeVisible();
    await expectOnlyWords(page, "two runs compared");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("region", { name: "Run A" })).not.toBeEmpty();
    await expectOnlyWords(page, "both sides of a difference");

    await page.goto("/decisions?kind=delegate");
    const decision = page.locator("li.decision").first();
    await decision.locator(".decision-what").click();
    await expect(decision.getByRole("heading", { name: "Earlier decisions like it" })).toBeVisible();
    await expectOnlyWords(page, "decisions");
    for (const path of ["/runs", "/", "/conversations", "/spending?by=call"]) {
      await page.goto(path);
      await settled(page);
      await expectOnlyWords(page, path);
    }
    expect(seen).toEqual({ dialogs: [], elsewhere: [], complaints: [] });

    // Whoever took it for markup would have been seen: it makes elements, and the policy stands in its way.
    await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), HOSTILE);
    await expect(page.locator(MADE)).not.toHaveCount(0);
    await expect.poll(() => seen.complaints.length).toBeGreaterThan(0);
  } finally {
    await context.close();
    await endpoint.stop();
    await installation.stop();
  }
});
