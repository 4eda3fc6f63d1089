import { describe, expect, it } from "vitest";
import { markCitations } from "./run-citations";

function citedIn(type: string, value: string, known?: readonly string[], leaf = "text"): string[] {
  const parent = { type, children: [{ type: leaf, value }] } as Parameters<ReturnType<typeof markCitations>>[0];
  markCitations(known)({ type: "root", children: [parent] });
  return (parent.children ?? []).map((child) =>
    child.type === "citation" ? `<${child.children?.[0]?.value}>` : (child.value ?? ""),
  );
}

describe("citations", () => {
  it("are taken out of the sentence they end", () => {
    expect(citedIn("paragraph", "No run is lost. [docs/durability.md#effects] [2] Next.")).toEqual([
      "No run is lost. ",
      "<docs/durability.md#effects>",
      " ",
      "<2>",
      " Next.",
    ]);
  });

  it("leave brackets that name no source alone", () => {
    expect(citedIn("paragraph", "an [optional] part and a [link](https://example.org)")).toEqual([
      "an [optional] part and a [link](https://example.org)",
    ]);
  });

  it("leave links alone", () => {
    expect(citedIn("link", "[docs/a.md#b]")).toEqual(["[docs/a.md#b]"]);
  });

  it("are found by the marks of the run, whatever the document is called", () => {
    const known = ["Returns policy (2026) [final].pdf#1", "Returns policy (2026) [final].pdf#12"];
    expect(
      citedIn("paragraph", "30 days [Returns policy\n(2026) [final].pdf#12]. Yes [no such.pdf#3].", known),
    ).toEqual(["30 days ", "<Returns policy (2026) [final].pdf#12>", ". Yes [no such.pdf#3]."]);
  });

  it("are told apart when several stand between one pair of brackets", () => {
    expect(citedIn("paragraph", "So [a.md#1, b c.md#2; a.md#1].", ["a.md#1", "b c.md#2"])).toEqual([
      "So ",
      "<a.md#1>",
      " ",
      "<b c.md#2>",
      " ",
      "<a.md#1>",
      ".",
    ]);
  });

  it("are taken out of code only when the code is nothing but known marks", () => {
    expect(citedIn("paragraph", "[a.md#1]", ["a.md#1"], "inlineCode")).toEqual(["<a.md#1>"]);
    expect(citedIn("paragraph", "rows[a.md#1]", ["a.md#1"], "inlineCode")).toEqual(["rows[a.md#1]"]);
    expect(citedIn("paragraph", "[b.md#1]", ["a.md#1"], "inlineCode")).toEqual(["[b.md#1]"]);
  });
});
