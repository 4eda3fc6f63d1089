import { expect, it } from "vitest";
import { findInPieces, MOST_FOUND } from "./find-in-text";

/** What a place names, put together again. */
function textAt(pieces: readonly string[], { from, to }: ReturnType<typeof findInPieces>[number]): string {
  if (from.piece === to.piece) return pieces[from.piece]?.slice(from.offset, to.offset) ?? "";
  const between = pieces.slice(from.piece + 1, to.piece).join("");
  return `${pieces[from.piece]?.slice(from.offset)}${between}${pieces[to.piece]?.slice(0, to.offset)}`;
}

it("finds a text inside a piece and across pieces, whatever its letters", () => {
  const pieces = ['{"', "query", '": "', "", "Damaged", " parcel", '"}'];
  for (const sought of ["query", "damaged PARCEL", 'y": "dam', "parcel"]) {
    const found = findInPieces(pieces, sought);
    expect(found.map((each) => textAt(pieces, each).toLowerCase())).toEqual([sought.toLowerCase()]);
  }
});

it("takes what is typed as it is, and nothing for nothing", () => {
  expect(findInPieces(["a.b", "axb"], "a.b")).toHaveLength(1);
  expect(findInPieces(["(a", "b)"], "(ab)")).toHaveLength(1);
  expect(findInPieces(["abc"], "  ")).toEqual([]);
});

it("stops where marks would cost more than they help", () => {
  expect(findInPieces(["a".repeat(MOST_FOUND * 2)], "a")).toHaveLength(MOST_FOUND);
});
