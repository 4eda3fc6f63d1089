import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import type { ProviderView } from "@/server/providers/schema";
import { formsOf } from "@/tests/support/secret-forms";
import { odd } from "@/tests/support/tool-servers";
import { expectAccessible } from "./accessible";
import { type OpenedTab, openEveryTab } from "./every-tab";
import {
  createOwner,
  expect,
  Installation,
  rowsOf,
  startScriptedProcess,
  type TreeOfRun,
  test,
  treeOf,
} from "./installation";
import { addProvider, ask, publishAgent, publishTeam } from "./workshop";

// With what is written otherwise in addresses, in JSON and in pages.
const PROVIDER_KEY = "provider-key/Zq81+mNbVcXz93kd=";
const TOOL_KEY = 'tool"key\\Yx72&kJhGfDsQw44n';
const FORMS = [PROVIDER_KEY, TOOL_KEY].flatMap(formsOf);
const secretsIn = (text: string) => FORMS.filter((form) => text.includes(form));

/** Every tab of every row shows nothing of what is kept secret; what was opened. */
async function expectNoSecretShown(page: Page): Promise<OpenedTab[]> {
  expect(secretsIn(await page.content())).toEqual([]);
  const opened = await openEveryTab(page, async ({ row, tab }) => {
    expect(secretsIn(await page.content()), `${tab} of ${row}`).toEqual([]);
  });
  const kindsOf = (tab: string) => new Set(opened.flatMap((one) => (one.tab === tab ? [one.kind] : [])));
  expect(kindsOf("Prompt")).toContain("Model call");
  expect(kindsOf("Decision")).toContain("Decision");
  expect(kindsOf("Input")).toContain("Tool call");
  return opened;
}

async function call(page: Page, path: string, input: object): Promise<{ id: string }> {
  const response = await page.request.post(`/api/trpc/${path}`, { data: { json: input } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data.json;
}

/** A price for whatever the provider offers, so that its calls cost something. */
async function setPrices(page: Page): Promise<void> {
  const response = await page.request.get("/api/trpc/providers.list");
  const providers = (await response.json()).result.data.json as ProviderView[];
  for (const { id: providerId, models } of providers) {
    for (const { id: _id, ref: _ref, ...model } of models) {
      const prices = { inputNanoUsdPerMtok: 3_000_000_000, outputNanoUsdPerMtok: 15_000_000_000 };
      await call(page, "providers.saveModel", { providerId, ...model, ...prices });
    }
  }
}

/** Tree, decisions and costs of a run: what is the same wherever it is opened. Ids are those of the installation. */
function outline({ run, agents, decisions }: TreeOfRun) {
  const nameOf = new Map(agents.map(({ id, handle }) => [id, handle]));
  return {
    ...{ status: run.status, costNanoUsd: run.costNanoUsd, tokens: [run.inputTokens, run.outputTokens] },
    agents: agents.map(({ parentId, handle, name, status, costNanoUsd, inputTokens, outputTokens }) => ({
      ...{ parent: nameOf.get(parentId ?? ""), handle, name, status, costNanoUsd, inputTokens, outputTokens },
    })),
    decisions: decisions.map(({ agentRunId, kind, source, reason, chosen, position, costSoFarNanoUsd }) => ({
      ...{ of: nameOf.get(agentRunId), kind, source, reason, position, costSoFarNanoUsd },
      chosen: chosen.map(({ label, reason: why }) => ({ label, why })),
    })),
  };
}

test("a run leaves as a file and is the same elsewhere, read-only; no secret is in the file, the logs or the pages", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const endpoint = await startScriptedProcess("library-desk", PROVIDER_KEY);
  const here = await Installation.start({ demo: "off", log: "debug" });
  const there = await Installation.start({ demo: "off", log: "debug" });
  const context = await browser.newContext({ baseURL: here.url });
  const away = await browser.newContext({ baseURL: there.url });
  try {
    const page = await context.newPage();
    await createOwner(page, here);
    await addProvider(page, { url: endpoint.url, key: PROVIDER_KEY, name: "harbour" });
    // A server that tells its key, in results, in errors and in what it is described by.
    const { id } = await call(page, "toolServers.create", {
      ...{ name: "odd", transport: "stdio", url: "", command: odd.command, args: [...odd.args] },
      secrets: [{ name: "TOOL_KEY", value: TOOL_KEY }],
    });
    await call(page, "toolServers.check", { toolServerId: id });
    await setPrices(page);
    await publishAgent(page, {
      ...{ name: "Archivist", purpose: "Reads.", instructions: `Never tell ${PROVIDER_KEY} to anybody.` },
      tools: [{ name: "odd__reveal" }, { name: "odd__fail" }],
    });
    await publishAgent(page, {
      ...{ name: "Keeper", purpose: "Leads.", instructions: `Have it read, without ${TOOL_KEY}.`, leads: true },
    });
    await publishTeam(page, { name: "Archive", supervisor: "Keeper", agents: ["Archivist"] });
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/conversations\//);
    await ask(page, "Call odd__reveal with {}");
    const telling = `Call odd__fail with ${JSON.stringify({ authorization: `Bearer ${PROVIDER_KEY}` })}`;
    await ask(page, telling, "Call odd__fail with");
    const runs = await page
      .locator('a[href*="/runs/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const paths = [...new Set(runs.flatMap((href) => /\/runs\/[0-9a-f-]{36}/.exec(href ?? "")?.[0] ?? []))];
    expect(paths).toHaveLength(2);

    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("treegrid")).toBeVisible();
      const rows = await rowsOf(page);
      const origin = await treeOf(page, path.slice("/runs/".length));
      expect(secretsIn(JSON.stringify(origin))).toEqual([]);
      // What is held against the copy below is something.
      expect(origin.agents).toHaveLength(2);
      expect(origin.decisions.length).toBeGreaterThan(2);
      expect(origin.run.costNanoUsd).toBeGreaterThan(0);
      for (const agent of origin.agents) expect(agent.costNanoUsd).toBeGreaterThan(0);
      const opened = await expectNoSecretShown(page);
      await page.getByRole("button", { name: "More actions" }).click();
      const saving = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "Save as a file" }).click();
      const file = await (await saving).path();
      const text = gunzipSync(await readFile(file)).toString("utf8");
      expect(text).toContain("odd__");
      expect(secretsIn(text)).toEqual([]);

      const other = await away.newPage();
      if (path === paths[0]) await createOwner(other, there);
      await other.goto("/runs");
      await other.getByRole("button", { name: "Files" }).click();
      const choosing = other.waitForEvent("filechooser");
      await other.getByRole("menuitem", { name: "Open a run file…" }).click();
      await (await choosing).setFiles(file);
      await other.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await expect(other.getByText("Imported, read-only.")).toBeVisible();
      expect(await rowsOf(other)).toBe(rows);
      const copy = await treeOf(other, new URL(other.url()).pathname.slice("/runs/".length));
      expect(outline(copy)).toEqual(outline(origin));
      await other.getByRole("row", { name: /odd__/ }).first().click();
      await expect(other.getByRole("complementary", { name: "Details" })).toContainText("odd__");
      await expectAccessible(other);
      expect(await expectNoSecretShown(other)).toHaveLength(opened.length);
      // Nothing that would carry it on.
      for (const name of ["Retry from here…", "What if…", "Run again"])
        await expect(
          other.getByRole("button", { name, exact: true }).and(other.locator(":not([disabled], [data-disabled])")),
        ).toHaveCount(0);
      await other.close();
    }
    expect(here.log).toMatch(/"level":(20|30)|debug/i);
    expect(secretsIn(here.log)).toEqual([]);
    expect(secretsIn(there.log)).toEqual([]);
  } finally {
    await context.close();
    await away.close();
    await endpoint.stop();
    await here.stop();
    await there.stop();
  }
});
