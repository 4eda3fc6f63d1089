import { describe, expect, it } from "vitest";
import { markCitations } from "./run-citations";

function citedIn(type: string, value: string): string[] {
  const parent = { type, children: [{ type: "text", value }] } as Parameters<ReturnType<typeof markCitations>>[0];
  markCitations()({ type: "root", children: [parent] });
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
});
