import { describe, expect, it } from "vitest";
import { holdOrder } from "./hold-order";

const rows = (...ids: string[]) => ids.map((id) => ({ id, at: "old" }));
const fresh = (...ids: string[]) => ids.map((id) => ({ id, at: "new" }));
const ids = (list: readonly { id: string }[]) => list.map((row) => row.id).join("");

describe("a list under the pointer", () => {
  it("takes new facts into the old places", () => {
    const held = holdOrder(rows("a", "b"), fresh("b", "a"));
    expect(ids(held.rows)).toBe("ab");
    expect(held.rows.every((row) => row.at === "new")).toBe(true);
  });

  it("counts what would push in above", () => {
    const held = holdOrder(rows("c", "d"), fresh("a", "b", "c", "d"));
    expect(ids(held.rows)).toBe("cd");
    expect(held.withheld).toBe(2);
  });

  it("adds the next page below", () => {
    const held = holdOrder(rows("c", "d"), fresh("b", "c", "d", "e", "f"));
    expect(ids(held.rows)).toBe("cdef");
    expect(held.withheld).toBe(1);
  });

  it("keeps a row that has left the list", () => {
    const held = holdOrder(rows("a", "b", "c"), fresh("a", "c"));
    expect(ids(held.rows)).toBe("abc");
    expect(held.rows[1]?.at).toBe("old");
    expect(held.withheld).toBe(0);
  });

  it("withholds everything when nothing is left of what was shown", () => {
    const held = holdOrder(rows("a"), fresh("x", "y"));
    expect(ids(held.rows)).toBe("a");
    expect(held.withheld).toBe(2);
  });
});
