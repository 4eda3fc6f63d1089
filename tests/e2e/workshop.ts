import { expect, type Page } from "@playwright/test";

/** What somebody does in the forms to get a team of their own, one function for each errand. */

export async function addProvider(page: Page, { url, key, name }: { url: string; key: string; name: string }) {
  await page.goto("/providers");
  await page.getByRole("button", { name: "Add provider" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "Another OpenAI-compatible endpoint" }).click();
  await dialog.getByLabel("Base URL").fill(url);
  await dialog.getByLabel("Key, if it asks for one").fill(key);
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Test", exact: true }).click();
  // It listens on this machine, which Troupe does not call without an owner's word.
  await dialog.getByRole("button", { name: /^Allow 127\.0\.0\.1:\d+/ }).click();
  await dialog.getByRole("button", { name: /^Save with \d+ model/ }).click();
  await dialog.getByRole("button", { name: "Test it and use it" }).click();
  await expect(dialog).toBeHidden();
}

export type AgentFields = {
  name: string;
  purpose: string;
  instructions: string;
  leads?: boolean;
  knowledge?: string;
  tools?: { name: string; asks?: boolean }[];
  publishesEvents?: boolean;
};

/** Fills the form of an agent and publishes its first version. */
export async function publishAgent(page: Page, fields: AgentFields): Promise<void> {
  await page.goto("/agents/new");
  await page.getByLabel("Name", { exact: true }).fill(fields.name);
  await page.getByLabel("Purpose").fill(fields.purpose);
  await page.getByRole("textbox", { name: "Instructions" }).fill(fields.instructions);
  if (fields.knowledge) await page.getByRole("checkbox", { name: fields.knowledge }).check();
  for (const tool of fields.tools ?? []) {
    await page.locator(".tool-row", { hasText: tool.name }).getByRole("switch").check({ force: true });
    if (tool.asks) {
      await page.locator(".tool-row", { hasText: tool.name }).getByText("Ask", { exact: true }).click();
    }
  }
  if (fields.leads) {
    await page.locator("#section-team > summary").click();
    await page.getByRole("switch", { name: "May lead other agents" }).check({ force: true });
  }
  if (fields.publishesEvents) {
    await page.locator("#section-alone > summary").click();
    await page.getByRole("switch", { name: "Publishes events" }).check({ force: true });
  }
  await publish(page);
  await page.waitForURL(/\/agents\/[0-9a-f-]{36}/);
}

/** Makes a team of published agents, one supervisor over the others, and publishes it. */
export async function publishTeam(page: Page, team: { name: string; supervisor: string; agents: readonly string[] }) {
  await page.goto("/teams/new");
  await page.getByLabel("Name", { exact: true }).fill(team.name);
  await page.getByRole("button", { name: "Choose a supervisor", exact: true }).click();
  await pick(page, team.supervisor);
  for (const agent of team.agents) {
    await page.getByRole("treeitem", { name: new RegExp(team.supervisor) }).click();
    await page.getByRole("button", { name: "Add agent", exact: true }).click();
    await pick(page, agent);
  }
  const sees = page.getByRole("complementary", { name: "What the supervisor sees" });
  for (const agent of team.agents) await expect(sees.getByText(agent).first()).toBeVisible();
  await publish(page);
  await page.waitForURL(/\/teams\/[0-9a-f-]{36}/);
}

async function pick(page: Page, agent: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: new RegExp(agent) }).click();
  await expect(dialog).toBeHidden();
}

async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish v1…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish v1" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "v1 is live" })).toBeVisible();
}

export async function createBase(page: Page, name: string): Promise<void> {
  await page.goto("/knowledge");
  await page.getByRole("button", { name: "New base" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Create base" }).click();
  await page.waitForURL(/\/knowledge\/[0-9a-f-]{36}/);
}

/** Uploads to the base on screen and waits until every file can be searched. */
export async function upload(page: Page, files: readonly { name: string; content: Uint8Array }[]): Promise<void> {
  await page.getByLabel("Files to upload").setInputFiles(
    files.map(({ name, content }) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(content),
    })),
  );
  for (const { name } of files) {
    await expect(page.getByRole("row", { name: new RegExp(name) }).getByText("Ready")).toBeVisible({ timeout: 60_000 });
  }
}

/** Asks in the conversation on screen and waits for the answer; returns its text. */
export async function ask(page: Page, question: string, shownAs = question): Promise<string> {
  await page.getByLabel("Your question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const turn = page.getByRole("article", { name: `Question: ${shownAs.slice(0, 80)}` });
  await expect(turn.locator(".turn-answer")).toBeVisible({ timeout: 90_000 });
  return turn.locator(".turn-answer").innerText();
}
