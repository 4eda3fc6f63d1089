import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkText } from "./chunk-text";

const cut = (text: string, { isMarkdown = true, pageStarts = null as number[] | null } = {}) => [
  ...chunkText({ text, isMarkdown, pageStarts }),
];
const sentence = (n: number) => `Sentence number ${n} of this paragraph says something about topic ${n % 7}. `;
const paragraph = (sentences: number, from = 0) =>
  Array.from({ length: sentences }, (_, i) => sentence(from + i))
    .join("")
    .trim();

describe("passages of a text", () => {
  test("a short text is one passage with its heading", () => {
    const text = "# Handbook\n\n## Travel\n\nTrains are paid for.";
    expect(cut(text)).toEqual([{ position: 0, text, heading: "Handbook › Travel", page: null, startsAt: 0 }]);
  });

  test("sections that are long enough stand alone, each under its own headings", () => {
    const text = `# Rules\n\n## Leave\n\n${paragraph(8)}\n\n## Sickness\n\n${paragraph(8)}\n\n### Doctor\n\n${paragraph(8)}`;
    expect(cut(text).map(({ heading }) => heading)).toEqual([
      "Rules › Leave",
      "Rules › Sickness",
      "Rules › Sickness › Doctor",
    ]);
  });

  test("short sections share a passage under what they have in common", () => {
    const text = "# Questions\n\n## Who?\n\nWe.\n\n## When?\n\nNow.\n\n## Why?\n\nBecause.";
    expect(cut(text).map(({ heading, text }) => [heading, text])).toEqual([["Questions", text]]);
  });

  test("a long paragraph is cut between sentences, and neighbours share some of it", () => {
    const text = paragraph(80);
    const passages = cut(text);
    expect(passages.length).toBeGreaterThan(3);
    for (const [i, passage] of passages.entries()) {
      expect(passage.text).toMatch(/^Sentence number \d+/);
      expect(passage.text).toMatch(/topic \d\.$/);
      expect(passage.text.length).toBeLessThanOrEqual(1_350);
      const next = passages[i + 1];
      if (next) expect(passage.startsAt + passage.text.length).toBeGreaterThan(next.startsAt);
    }
  });

  test("no passage reaches over the end of a page, and each names its page", () => {
    const pages = [paragraph(4), "", paragraph(30), "Last page."];
    const pageStarts: number[] = [];
    let text = "";
    for (const page of pages) {
      pageStarts.push(text.length);
      text += `${page}\n\n`;
    }
    const passages = cut(text, { isMarkdown: false, pageStarts });
    expect(passages.map(({ page }) => page)).toEqual([1, 3, 3, 4]);
    expect(passages.at(-1)?.text).toBe("Last page.");
  });

  test("a table and a piece of code stay in one passage", () => {
    const rows = Array.from({ length: 30 }, (_, i) => `| row ${i} | value ${i} | some more |`).join("\n");
    const code = `\`\`\`ts\n# no heading\n${"const a = 1;\n".repeat(60)}\`\`\``;
    const text = `# Data\n\n${paragraph(8)}\n\n${rows}\n\n${paragraph(8)}\n\n${code}`;
    const passages = cut(text);
    expect(passages.some((passage) => passage.text.includes(rows))).toBe(true);
    expect(passages.some((passage) => passage.text.includes(code))).toBe(true);
    expect(passages.every(({ heading }) => heading === "Data")).toBe(true);
  });

  test("in plain text a line that begins with # is no heading", () => {
    expect(cut("# not a heading\ntext", { isMarkdown: false }).map(({ heading }) => heading)).toEqual([""]);
  });

  test("many tiny sections do not become many tiny passages", () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `# ${i}\na\n`).join("");
    expect(cut(text).length).toBeLessThan(text.length / 250);
  });

  test("one endless line without blanks is cut, in time that grows with its length only", () => {
    const before = performance.now();
    const passages = cut("x".repeat(4_000_000));
    expect(passages.length).toBeGreaterThan(3_000);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("whatever the text", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    fc.constantFrom("#", "##", "```", "|", "a.", "end!", "。", "é", "👩‍👩‍👧", "word", "\t"),
  );
  const line = fc.array(word, { maxLength: 40 }).map((words) => words.join(" "));
  const long = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
  const texts = fc.tuple(long, fc.boolean(), fc.array(fc.nat(3_000), { maxLength: 5 }));

  test("each passage is where it says, no word is cut, and nothing but blanks is left out", () => {
    fc.assert(
      fc.property(texts, ([text, isMarkdown, breaks]) => {
        const pageStarts =
          breaks.length > 0 ? [0, ...breaks.filter((at) => text.charAt(at - 1) === "\n").sort((a, b) => a - b)] : null;
        const covered = new Uint8Array(text.length);
        let previous = -1;
        for (const [i, passage] of [...chunkText({ text, isMarkdown, pageStarts })].entries()) {
          const endsAt = passage.startsAt + passage.text.length;
          expect(passage.position).toBe(i);
          expect(text.slice(passage.startsAt, endsAt)).toBe(passage.text);
          expect(passage.text).toBe(passage.text.trim());
          expect(passage.text.length).toBeGreaterThan(0);
          expect(passage.text.length).toBeLessThanOrEqual(2_200);
          expect(passage.startsAt).toBeGreaterThan(previous);
          expect(
            /\S/.test(text.charAt(passage.startsAt - 1)) && !/[。！？]/.test(text.charAt(passage.startsAt - 1)),
          ).toBe(false);
          expect(/\S/.test(text.charAt(endsAt)) && !/[。！？]/.test(text.charAt(endsAt - 1))).toBe(false);
          expect(passage.page === null).toBe(pageStarts === null);
          covered.fill(1, passage.startsAt, endsAt);
          previous = passage.startsAt;
        }
        for (let at = 0; at < text.length; at++) if (!covered[at]) expect(text.charAt(at).trim()).toBe("");
      }),
      { numRuns: 500 },
    );
  });
});
