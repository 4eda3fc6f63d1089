import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { filesystem, startEverything } from "@/tests/support/tool-servers";
import { createOwner, expect, Installation, startScriptedProcess, test } from "./installation";
import { addProvider, ask, publishAgent } from "./workshop";

async function addServer(
  page: Page,
  server: { name: string; url: string } | { name: string; command: string; args: readonly string[] },
) {
  await page.goto("/tool-servers");
  await page.getByRole("button", { name: "Add server" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(server.name);
  if ("url" in server) {
    await dialog.getByLabel("Address").fill(server.url);
    await dialog.getByRole("checkbox", { name: "Allow this host on a private network" }).check();
  } else {
    await dialog.getByText("As a program").click();
    await dialog.getByLabel("Command").fill(server.command);
    await dialog.getByLabel("Arguments").fill(server.args.join("\n"));
    // The very command line, before anything is started.
    await expect(dialog.locator("pre").filter({ hasText: server.args.join(" ") })).toBeVisible();
  }
  await dialog.getByRole("button", { name: "Save server" }).click();
  await page.waitForURL(/\/tool-servers\/[0-9a-f-]{36}/);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(`${server.name}__`).first()).toBeVisible({ timeout: 30_000 });
}

test("official tool servers are attached, called, asked about, and may die in the middle of a call", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), "troupe-files-"));
  await writeFile(join(folder, "note.txt"), "The lantern is in the cellar.");
  const everything = await startEverything();
  const endpoint = await startScriptedProcess("library-desk", "key");
  const installation = await Installation.start({ demo: "off" });
  const context = await browser.newContext({ baseURL: installation.url });
  const page = await context.newPage();
  try {
    await createOwner(page, installation);
    await addProvider(page, { url: endpoint.url, key: "key", name: "harbour" });
    const { command, args } = filesystem(folder);
    await addServer(page, { name: "files", command, args });
    await addServer(page, { name: "all", url: everything.url });
    await publishAgent(page, {
      name: "Archivist",
      purpose: "Reads and writes files.",
      instructions: "Do what is asked with your tools.",
      tools: [
        { name: "files__read_text_file" },
        { name: "files__write_file", asks: true },
        { name: "all__trigger-long-running-operation" },
      ],
    });

    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/conversations\//);
    const read = `Call files__read_text_file with ${JSON.stringify({ path: join(folder, "note.txt") })}`;
    expect(await ask(page, read)).toContain("The lantern is in the cellar.");

    // Outside the folder: an error that the model is told, and the run goes on.
    expect(await ask(page, 'Call files__read_text_file with {"path":"/etc/hostname"}')).toMatch(
      /denied|outside|allowed/i,
    );

    const target = join(folder, "new.txt");
    const write = `Call files__write_file with ${JSON.stringify({ path: target, content: "Written once." })}`;
    await page.getByLabel("Your question").fill(write);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const request = page.getByRole("article", { name: "Request of Archivist" });
    await expect(request.getByText("May Archivist call files__write_file?")).toBeVisible({ timeout: 60_000 });
    await expect(request.getByText(/Written once\./)).toBeVisible();
    await expect(readFile(target, "utf8")).rejects.toThrow();
    await request.getByRole("button", { name: "Allow this call" }).click();
    await expect(page.getByText(/Successfully wrote/).first()).toBeVisible({ timeout: 60_000 });
    expect(await readFile(target, "utf8")).toBe("Written once.");

    const long = 'Call all__trigger-long-running-operation with {"duration":90,"steps":90}';
    await page.getByLabel("Your question").fill(long);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.getByText("calls all__trigger-long-running-operation").first()).toBeVisible({ timeout: 60_000 });
    await everything.stop();
    const turn = page.getByRole("article", { name: `Question: ${long.slice(0, 80)}` });
    await expect(turn.locator(".turn-answer")).toContainText("tool_call_error", { timeout: 60_000 });
  } finally {
    await context.close();
    await endpoint.stop();
    await everything.stop();
    await installation.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
