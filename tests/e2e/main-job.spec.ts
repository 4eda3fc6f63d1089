import { aDocx, aPdf } from "@/tests/support/sample-files";
import { createOwner, expect, Installation, startScriptedProcess, test } from "./installation";
import { addProvider, ask, createBase, publishAgent, publishTeam, upload } from "./workshop";

// Each has an installation of its own.
test.describe.configure({ mode: "parallel" });

const KEY = "sk-only-for-this-test-42";
const QUESTION = "How long may a lantern be borrowed from the lighthouse, and what is the deposit?";
const FOLLOW_UP = "And who repairs broken lanterns at the lighthouse?";

/** Facts that are written nowhere else. */
const lanternPdf = () =>
  aPdf([
    ["The lighthouse of Vardo lends lanterns to sailors.", "A lantern may be borrowed for nineteen days."],
    ["The deposit for a borrowed lantern is forty-one crowns.", "It is paid back when the lantern returns."],
  ]);
const repairDocx = () =>
  aDocx([
    { heading: "Repairs" },
    "Broken lanterns of the lighthouse are repaired by the glazier Ingrid Moe on the second floor.",
  ]);

for (const model of ["scripted", "rehearsal"] as const) {
  test(`from an empty workspace to a cited answer on one's own files (${model} model)`, async ({ browser }) => {
    test.setTimeout(300_000);
    const installation = await Installation.start({ demo: "off" });
    const endpoint = model === "scripted" ? await startScriptedProcess("library-desk", KEY) : null;
    const context = await browser.newContext({ baseURL: installation.url });
    const page = await context.newPage();
    try {
      await createOwner(page, installation);
      if (endpoint) await addProvider(page, { url: endpoint.url, key: KEY, name: "harbour" });

      await createBase(page, "Lighthouse papers");
      await upload(page, [
        { name: "lantern rules.pdf", content: await lanternPdf() },
        { name: "repairs.docx", content: await repairDocx() },
      ]);

      const searcher = { instructions: "Search, and quote what answers the request.", knowledge: "Lighthouse papers" };
      await publishAgent(page, { name: "Reader", purpose: "Finds passages that answer a question.", ...searcher });
      await publishAgent(page, { name: "Second reader", purpose: "Finds passages others may miss.", ...searcher });
      await publishAgent(page, {
        name: "Keeper",
        purpose: "Leads the desk.",
        instructions: "Have the question looked up, then answer with what was found.",
        leads: true,
      });
      await publishTeam(page, { name: "Lantern desk", supervisor: "Keeper", agents: ["Reader", "Second reader"] });

      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.waitForURL(/\/conversations\//);
      const answer = await ask(page, QUESTION);
      expect(answer).toMatch(/nineteen days|forty-one crowns/);

      // The mark in the answer opens the very passage.
      await page
        .getByRole("button", { name: /lantern-rules\.pdf#\d+/ })
        .first()
        .click();
      const passage = page.getByRole("dialog");
      await expect(passage.getByText("lantern rules.pdf").first()).toBeVisible();
      await expect(passage.getByText(/nineteen days|forty-one crowns/).first()).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(passage).toBeHidden();

      expect(await ask(page, FOLLOW_UP)).toContain("Ingrid Moe");

      // The run behind the follow-up, and the decisions in it.
      await page.getByRole("link", { name: "Open the run" }).last().click();
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await expect(page.locator(".run-meta").getByText("Succeeded")).toBeVisible({ timeout: 30_000 });
      await page
        .getByRole("row", { name: /Delegate/ })
        .first()
        .click();
      const inspector = page.getByRole("complementary", { name: "Details" });
      await expect(inspector.getByText(/Options as offered/)).toBeVisible();
      await expect(inspector.getByText("Second reader", { exact: true }).first()).toBeVisible();

      // The key is nowhere on the screen that holds it, nor in what the server tells that screen.
      if (endpoint) {
        const told = page.waitForResponse(/providers\.list/);
        await page.goto("/providers");
        await expect(page.getByText("harbour").first()).toBeVisible();
        expect(await page.content()).not.toContain(KEY);
        const reply = await Promise.race([told.then((response) => response.text()), page.content()]);
        expect(reply).not.toContain(KEY);
      }
    } finally {
      await context.close();
      await endpoint?.stop();
      await installation.stop();
    }
  });
}
