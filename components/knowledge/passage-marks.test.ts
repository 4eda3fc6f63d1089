import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { withoutMarks } from "./passage-marks";
import { PassageText } from "./passage-text";

const html = (props: { text: string; documentName: string; search?: string }) =>
  renderToStaticMarkup(createElement(PassageText, props));

test("a passage of a Word or web file shows what its marks mean, not the marks", () => {
  const text =
    "## Returns\n\nWithin **30 days**, see [terms](https://example.org/t).\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  for (const documentName of ["policy.docx", "policy.HTML", "policy.htm"]) {
    const shown = html({ text, documentName });
    expect(shown, documentName).not.toMatch(/\*\*|##|\|/);
    expect(shown, documentName).toContain("<strong>30 days</strong>");
    expect(shown, documentName).toContain("<td>1</td>");
  }
});

test("a passage of any other file stands as it was written", () => {
  expect(html({ text: "Within **30 days**", documentName: "policy.md" })).toContain("Within **30 days**");
});

test("what was looked for is marked in both", () => {
  for (const documentName of ["a.docx", "a.txt"]) {
    expect(html({ text: "Within 30 Days", documentName, search: "days" })).toContain("<mark>Days</mark>");
  }
});

test("nothing in a web file can run, load or lead anywhere but to the web", () => {
  const text = "![x](https://example.org/p.png) [y](javascript:alert(1))\n\n<script>alert(1)</script>";
  expect(html({ text, documentName: "a.html" })).not.toMatch(/<script|<img|javascript:/);
});

test("a few lines of a passage lose their marks and keep their words", () => {
  expect(
    withoutMarks("# Title\n\n- **one** and `two`\n- [three](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
  ).toBe("Title\none and two\nthree\na · b\n1 · 2");
  expect(withoutMarks("snake_case_name and 2 * 3 * 4 stay, 1\\. too")).toBe(
    "snake_case_name and 2 * 3 * 4 stay, 1. too",
  );
});
