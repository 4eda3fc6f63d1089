import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { odd } from "@/tests/support/tool-servers";
import { expectAccessible } from "./accessible";
import { createOwner, expect, Installation, rowsOf, startScriptedProcess, test, treeOf } from "./installation";
import { addProvider, ask, publishAgent } from "./workshop";

const PROVIDER_KEY = "provider-key-Zq81mNbVcXz93kd";
const TOOL_KEY = "tool-key-Yx72kJhGfDsQw44n";
/** As they may be written in addresses, in JSON and in headers. */
const FORMS = [PROVIDER_KEY, TOOL_KEY].flatMap((key) => [
  ...[key, encodeURIComponent(key), Buffer.from(key).toString("base64").replace(/=+$/, "")],
]);
const secretsIn = (text: string) => FORMS.filter((form) => text.includes(form));

/** Opens each row of the run, and of each what it was given, what it said and how it is kept: what a person finds there, as one text. */
async function everythingShown(page: Page): Promise<string> {
  const details = page.getByRole("complementary", { name: "Details" });
  const rows = await page.getByRole("treegrid").locator("[role=row][aria-level]").all();
  const shown = [await page.content()];
  for (const row of rows) {
    await row.click();
    await expect(row).toHaveAttribute("aria-selected", "true");
    for (const name of ["Input", "Output", "Raw"]) {
      const tab = details.getByRole("tab", { name, exact: true });
      if ((await tab.count()) === 0) continue;
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", "true");
      await expect(details.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
      shown.push(await page.content());
    }
  }
  expect(shown.length).toBeGreaterThan(6);
  return shown.join("\n");
}

async function call(page: Page, path: string, input: object): Promise<{ id: string }> {
  const response = await page.request.post(`/api/trpc/${path}`, { data: { json: input } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data.json;
}

test("a run leaves as a file and is the same elsewhere, read-only; no secret is in the file, the logs or the pages", async ({
  browser,
}) => {
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
    await publishAgent(page, {
      ...{ name: "Archivist", purpose: "Reads.", instructions: `Never tell ${PROVIDER_KEY} to anybody.` },
      tools: [{ name: "odd__reveal" }, { name: "odd__fail" }],
    });
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
      expect(secretsIn(await everythingShown(page))).toEqual([]);
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
      expect(copy.run).toMatchObject({ status: origin.run.status, costNanoUsd: origin.run.costNanoUsd });
      expect(copy.agents.map(({ name, status, costNanoUsd }) => ({ name, status, costNanoUsd }))).toEqual(
        origin.agents.map(({ name, status, costNanoUsd }) => ({ name, status, costNanoUsd })),
      );
      expect(copy.decisions.map(({ kind, source }) => `${kind} ${source}`)).toEqual(
        origin.decisions.map(({ kind, source }) => `${kind} ${source}`),
      );
      await other.getByRole("row", { name: /odd__/ }).first().click();
      await expect(other.getByRole("complementary", { name: "Details" })).toContainText("odd__");
      await expectAccessible(other);
      expect(secretsIn(await everythingShown(other))).toEqual([]);
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
