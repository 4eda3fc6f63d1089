import { describe, expect, test } from "vitest";
import {
  aBrokenDocx,
  aBrokenPdf,
  aCutDocx,
  aDocx,
  aDocxBomb,
  aLockedPdf,
  aLyingDocxBomb,
  aPdf,
  aPdfWithoutText,
  textFile,
} from "@/tests/support/sample-files";
import { extract } from "./extract";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

describe("the text of a document", () => {
  test("a PDF gives its pages, with lines joined into paragraphs", async () => {
    const long = "The gate opens at seven in the morning and closes when the last visitor has left the park. ".repeat(
      3,
    );
    const file = await aPdf([["# Opening hours", long.trim(), "Dogs stay outside."], ["Second page."]]);
    const { text, pageStarts } = await extract(file, "application/pdf");
    expect(pageStarts).toHaveLength(2);
    expect(text.slice(pageStarts?.[1])).toBe("Second page.");
    expect(text.split("\n\n")).toHaveLength(4);
    expect(text.split("\n\n")[0]).toBe("Opening hours");
    expect(text.split("\n\n")[1]?.replaceAll("\n", " ")).toBe(long.trim());
  });

  test("a Word document keeps headings, tables and text", async () => {
    const file = await aDocx([
      { heading: "Travel" },
      "Trains are paid for.",
      { heading: "Rates", level: 2 },
      {
        rows: [
          ["Town", "Euro"],
          ["Bern", "120"],
        ],
      },
    ]);
    const { text, isMarkdown } = await extract(file, DOCX);
    expect(isMarkdown).toBe(true);
    expect(text).toBe("# Travel\n\nTrains are paid for.\n\n## Rates\n\n| Town | Euro |\n| Bern | 120 |");
  });

  test("a page keeps what people read and drops scripts, styles and menus", async () => {
    const html = `<!doctype html><html><head><title>Guide</title><style>p{color:red}</style></head><body>
      <nav><a href="/">Home</a></nav><script>alert(1)</script><h2>Setup</h2><p>Run <code>make_all</code>, see
      <a href="https://example.test/x">the docs</a>.</p><ul><li>one</li><li>two</li></ul>
      <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code># not a heading\nx = 1</code></pre></body></html>`;
    const { text } = await extract(textFile(html), "text/html");
    expect(text).toContain("# Guide\n\n## Setup\n\nRun `make_all`, see the docs.");
    expect(text).toContain("| A | B |\n| 1 | 2 |");
    expect(text).toContain("```\n# not a heading\nx = 1\n```");
    expect(text).toMatch(/-\s+one\n-\s+two/);
    expect(text).not.toMatch(/alert|color|Home|example\.test/);
  });

  test.each([",", ";", "\t"])(
    "a table separated by %j becomes records that say what their values are",
    async (separator) => {
      const csv = [
        ["Name", "Town", ""],
        ["Ada", "London", "x"],
        ["Grace", '"New\nYork"'],
      ]
        .map((row) => row.join(separator))
        .join("\r\n");
      const { text } = await extract(textFile(csv), "text/csv");
      expect(text).toBe("Name: Ada\nTown: London\nColumn 3: x\n\nName: Grace\nTown: New York");
    },
  );

  test.each([
    ["UTF-8 with a mark", Buffer.from("\ufeffGrüße"), "Grüße"],
    ["UTF-16 little-endian", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["UTF-16 big-endian", Buffer.from("\ufeffGrüße", "utf16le").swap16(), "Grüße"],
    ["Latin-1", Buffer.from("Viele Grüße aus Köln", "latin1"), "Viele Grüße aus Köln"],
    ["old line ends", Buffer.from("a\r\nb\rc"), "a\nb\nc"],
  ])("text in %s is read", async (_, file, text) => {
    expect(await extract(file, "text/plain")).toEqual({ text, isMarkdown: false, pageStarts: null });
  });
});

describe("what cannot be read says why", () => {
  test.each([
    ["a scanned PDF", () => aPdfWithoutText(), "application/pdf", "no_text"],
    ["a damaged PDF", aBrokenPdf, "application/pdf", "broken_pdf"],
    ["a locked PDF", () => aLockedPdf(), "application/pdf", "encrypted"],
    ["a Word document that is no XML", aBrokenDocx, DOCX, "broken_docx"],
    ["a Word document cut in half", () => aCutDocx(), DOCX, "broken_docx"],
    ["a Word document without a word", () => aDocx([""]), DOCX, "empty"],
    ["an archive bomb", () => aDocxBomb(120), DOCX, "too_large"],
    ["an archive bomb that lies about its size", () => aLyingDocxBomb(120), DOCX, "too_large"],
    ["blanks only", () => textFile(" \n\t "), "text/plain", "empty"],
    ["a page with a script only", () => textFile("<html><script>1</script></html>"), "text/html", "empty"],
    ["a page nested without end", () => textFile("<div>".repeat(100_000)), "text/html", "broken_html"],
    ["21 million characters", () => textFile("word ".repeat(4_200_000)), "text/plain", "too_large"],
  ] as const)(
    "%s",
    async (_, make, mediaType, code) => {
      const file = await make();
      await expect(extract(file, mediaType)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(/^.{10,}\.$/),
      });
    },
    30_000,
  );
});
