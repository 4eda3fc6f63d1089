import { expect, it } from "vitest";
import { layoutTree, nodeBeside } from "./graph-layout";

const node = (id: string, parentId: string | null) => ({ id, parentId });
const TREE = [node("root", null), node("a", "root"), node("b", "root"), node("a1", "a"), node("a2", "a")];
const parents = new Map(TREE.map(({ id, parentId }) => [id, parentId]));
const parentOf = (id: string) => parents.get(id) ?? null;

it("puts each parent in the middle of its children, and nothing over another", () => {
  const { places, width, height } = layoutTree(TREE);
  const y = (id: string) => places.get(id)?.y ?? Number.NaN;
  expect(y("a")).toBe((y("a1") + y("a2")) / 2);
  expect(y("root")).toBe((y("a") + y("b")) / 2);
  const spots = [...places.values()].map((at) => `${at.x} ${at.y}`);
  expect(new Set(spots).size).toBe(TREE.length);
  for (const at of places.values()) {
    expect(at.x + 190).toBeLessThanOrEqual(width);
    expect(at.y + 52).toBeLessThanOrEqual(height);
  }
});

it("draws 200 agents apart from each other, and one whose parent is missing as a root", () => {
  const many = [
    node("root", null),
    ...Array.from({ length: 200 }, (_, at) => node(`n${at}`, at % 7 === 0 ? "gone" : "root")),
  ];
  const { places } = layoutTree(many);
  expect(places.size).toBe(201);
  expect(places.get("n0")?.depth).toBe(0);
  const rows = [...places.values()]
    .filter(({ depth }) => depth === 1)
    .map(({ y }) => y)
    .sort((a, b) => a - b);
  for (const [at, y] of rows.entries()) if (at > 0) expect(y - (rows[at - 1] ?? 0)).toBeGreaterThanOrEqual(52);
});

it("is walked by arrows: in, out, up and down", () => {
  const layout = layoutTree(TREE);
  const walk = (from: string, key: string) => nodeBeside(layout, from, key, parentOf);
  expect(walk("root", "ArrowRight")).toBe("a");
  expect(walk("a", "ArrowDown")).toBe("b");
  expect(walk("b", "ArrowUp")).toBe("a");
  expect(walk("a2", "ArrowLeft")).toBe("a");
  expect(walk("root", "ArrowLeft")).toBeNull();
  expect(walk("a", "End")).toBe("b");
});
