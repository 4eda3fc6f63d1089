import { expect, test } from "vitest";
import { ENTRIES_SHOWN, findInJson, type JsonLook, jsonRows, openAtFirst, scalarWords, unfoldAll } from "./json-tree";

const look = (over: Partial<JsonLook> = {}): JsonLook => ({
  ...{ open: new Set(), shown: new Map(), found: new Map() },
  ...over,
});
const paths = (value: object, over: Partial<JsonLook> = {}) =>
  jsonRows(value as Record<string, unknown>, look(over)).map((row) => (row.type === "entry" ? row.path : row.hidden));
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index, name: `hit ${index}` }));

test("nothing is made of what is folded; what is unfolded comes line by line, with the way to it", () => {
  const value = { items: [{ "first name": "Ann" }, 2], note: null, empty: {} };
  expect(paths(value)).toEqual(["items", "note", "empty"]);
  expect(paths(value, { open: new Set(["/items", "/items/0"]) })).toEqual([
    ...["items", "items[0]", 'items[0]["first name"]', "items[1]", "note", "empty"],
  ]);
  const [items, note, empty] = jsonRows(value, look());
  expect(items).toMatchObject({ isOpen: false, depth: 0, at: 1, of: 3 });
  expect(note).toMatchObject({ isOpen: null });
  expect(empty).toMatchObject({ isOpen: null });
});

test("keys with slashes, stars and tildes are told apart", () => {
  const value = { a: { b: 1 }, "a/b": { c: 1 }, "a~1b": 2, "*": [1] };
  expect(new Set(jsonRows(value, look({ open: new Set(["/a"]) })).map(({ id }) => id)).size).toBe(5);
  expect(paths(value, { open: new Set(["/a~1b"]) })).toEqual(["a", '["a/b"]', '["a/b"].c', '["a~1b"]', '["*"]']);
});

test("of a long list the first are shown, then more", () => {
  const value = { hits: many(250) };
  const open = new Set(["/hits"]);
  expect(paths(value, { open }).slice(-2)).toEqual([`hits[${ENTRIES_SHOWN - 1}]`, 150]);
  const shown = new Map([["/hits", 200]]);
  expect(paths(value, { open, shown }).slice(-2)).toEqual(["hits[199]", 50]);
  expect(paths(value, { open, shown: new Map([["/hits", 300]]) }).at(-1)).toBe("hits[249]");
});

test("a small value is open at first; of a large one the levels that fit", () => {
  expect(openAtFirst({ a: { b: { c: { d: 1 } } } })).toEqual(new Set(["/a", "/a/b", "/a/b/c"]));
  expect(openAtFirst({ meta: { page: 1 }, hits: many(100) })).toEqual(new Set());
  expect(openAtFirst({ meta: { page: { of: 1 } }, hits: many(50) })).toEqual(new Set(["/meta", "/hits"]));
});

test("all is unfolded, unless that is too much to look at", () => {
  expect(unfoldAll({ hits: many(3) })).toEqual({
    isAll: true,
    open: new Set(["/hits", "/hits/0", "/hits/1", "/hits/2"]),
  });
  const wide = { rows: Array.from({ length: 100 }, () => many(100)) };
  const { open, isAll } = unfoldAll(wide);
  expect(isAll).toBe(false);
  const lines = jsonRows(wide, look({ open })).length;
  expect(lines).toBeGreaterThan(1_000);
  expect(lines).toBeLessThan(2_100);
});

test("what is found is unfolded and shown, however far down a list", () => {
  const value = { hits: many(100_000), other: { deep: { key: "needle" } } };
  const { open, found } = findInJson(value, "HIT 4321");
  expect(open.has("/hits/4321")).toBe(true);
  expect(open.has("/other")).toBe(false);
  const shown = paths(value, { open, found });
  expect(shown).toContain("hits[4321].name");
  expect(shown).toContain("hits[43210].name");
  // 100 first, 11 found with two lines each, what is hidden, and the other.
  expect(shown).toHaveLength(1 + 100 + 11 * 3 + 1 + 1);
  expect(findInJson(value, "needle").open).toEqual(new Set(["/other", "/other/deep"]));
  expect(findInJson(value, "deep").open).toEqual(new Set(["/other"]));
  expect(findInJson(value, " ").open.size).toBe(0);
});

test("a text is unfolded when it is found where it was cut", () => {
  const text = `begin ${"x".repeat(1_000)} end`;
  expect(findInJson({ text }, "begin").open).toEqual(new Set());
  expect(findInJson({ text }, "end").open).toEqual(new Set(["/text"]));
  expect(jsonRows({ text }, look())[0]).toMatchObject({ isOpen: false });
  expect(scalarWords(text, false)).toHaveLength(400 + 3);
  expect(scalarWords(text, true)).toBe(`"${text}"`);
  expect(scalarWords("1\n2\n3\n4\n5\n6\n7\n8\n9\n10", false)).toBe('"1\n2\n3\n4\n5\n6\n7\n8…"');
  expect(scalarWords("short", false)).toBe('"short"');
});

test("a value may be as deep as it likes", () => {
  let value: Record<string, unknown> = { end: "needle" };
  for (let depth = 0; depth < 50_000; depth++) value = { down: value };
  expect(findInJson(value, "needle").open.size).toBe(0);
  expect(unfoldAll(value).isAll).toBe(false);
  expect(findInJson({ near: { end: "needle" }, far: value }, "needle").open).toEqual(new Set(["/near"]));
});

test("a value of 100,000 entries is searched and shown without making a reader wait", () => {
  const value = { hits: many(100_000) };
  const from = performance.now();
  const { open, found } = findInJson(value, "hit");
  expect(jsonRows(value, look({ open, found })).length).toBeLessThan(5_000);
  openAtFirst(value);
  unfoldAll(value);
  expect(performance.now() - from).toBeLessThan(3_000);
});
