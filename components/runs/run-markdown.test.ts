import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RunMarkdown } from "./run-markdown";

const html = (text: string) => renderToStaticMarkup(createElement(RunMarkdown, { text }));

describe("an answer as Markdown", () => {
  it("shows HTML as text", () => {
    expect(html("Careful: <script>alert(1)</script> <img src=x onerror=alert(1)>")).not.toMatch(/<(script|img)/);
    expect(html("<b>bold</b>")).toContain("&lt;b&gt;");
  });

  it("links to the web without a referrer, and nowhere else", () => {
    expect(html("[a](https://example.org/x)")).toMatch(
      /<a href="https:\/\/example\.org\/x"[^>]*rel="noopener noreferrer/,
    );
    for (const target of [
      "javascript:alert(1)",
      "data:text/html,x",
      "/runs",
      "//example.org",
      "mailto:a@example.org",
    ]) {
      expect(html(`[a](${target})`), target).not.toContain("<a ");
    }
  });

  it("names images instead of loading them", () => {
    const shown = html("![a chart](https://example.org/pixel.png)");
    expect(shown).toContain("a chart");
    expect(shown).not.toMatch(/<img|pixel\.png/);
  });

  it("marks sources, the whole path kept for hovering", () => {
    const shown = html("No run is lost [docs/durability.md#effects].");
    expect(shown).toMatch(/<cite[^>]*title="docs\/durability\.md#effects"/);
    expect(shown).toContain("durability.md#effects</cite>");
  });
});
