import { expect, test } from "vitest";
import { docsSearch } from "./docs-search";
import { readDocsSections, sectionsOf } from "./docs-sections";
import { buildTextIndex } from "./text-index";
import { ToolError } from "./tool";

const context = { workspaceId: "", runId: "", agentRunId: "", key: "", signal: new AbortController().signal };

test("sections are cut at headings outside code, and cited by page and anchor", () => {
  const page = ["# Page", "intro", "## One `two`", "text", "```", "# no heading", "```", "## One two", "again"].join(
    "\n",
  );
  expect(sectionsOf("docs/page.md", page)).toEqual([
    { citation: "[docs/page.md]", title: "Page", text: "intro" },
    { citation: "[docs/page.md#one-two]", title: "Page: One two", text: "text\n```\n# no heading\n```" },
    { citation: "[docs/page.md#one-two-1]", title: "Page: One two", text: "again" },
  ]);
});

test("citations of the product's own pages are unique, and decision records are left out", () => {
  const citations = readDocsSections().map(({ citation }) => citation);
  expect(citations.length).toBeGreaterThan(20);
  expect(new Set(citations).size).toBe(citations.length);
  expect(citations.filter((citation) => citation.includes("decisions/"))).toEqual([]);
});

test("rare words and titles count more than frequent ones", () => {
  const section = (title: string, text: string) => ({ citation: `[${title}]`, title, text });
  const index = buildTextIndex([
    section("Runs", "a run is a run is a run and a run"),
    section("Backups", "copy the directory of the run"),
    section("Other", "nothing of the kind"),
  ]);
  const titles = (query: string) => index.search(query, 5).map(({ section: { title } }) => title);
  expect(titles("backing up a run")).toEqual(["Runs", "Backups"]);
  expect(titles("backups run")).toEqual(["Backups", "Runs"]);
  expect(index.search("the of", 5)).toEqual([]);
});

test.each([
  [
    "What happens to a run when the machine loses power",
    "[docs/durability.md#what-happens-when-the-machine-loses-power]",
  ],
  ["process killed", "[docs/durability.md#what-happens-when-a-process-is-killed]"],
  ["what is repeated afterwards", "[docs/durability.md#what-is-repeated-afterwards]"],
  ["how do I make a backup", "[docs/backup.md#restore]"],
  ["API key of the model endpoint", "[docs/models.md#add-a-provider]"],
])("“%s” finds %s", async (query, citation) => {
  const { passages } = (await docsSearch.run({ query }, context)) as { passages: { citation: string }[] };
  expect(passages.length).toBeLessThanOrEqual(5);
  expect(passages.map((passage) => passage.citation)).toContain(citation);
});

test("a query that is missing is refused in words for the model", async () => {
  await expect(docsSearch.run({ q: "x" }, context)).rejects.toThrow(ToolError);
});
