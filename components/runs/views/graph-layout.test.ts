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

it("draws 200 agents as a block, apart from each other, and one whose parent is missing as a root", () => {
  const many = [
    node("root", null),
    ...Array.from({ length: 200 }, (_, at) => node(`n${at}`, at === 7 ? "gone" : "root")),
    node("below", "n0"),
  ];
  const { places, width, height } = layoutTree(many);
  expect(places.size).toBe(202);
  expect(places.get("n7")?.depth).toBe(0);
  // A tower of one column would be 13,000 high.
  expect(height).toBeLessThan(2_500);
  expect(width).toBeLessThan(2_500);
  const all = [...places.values()];
  const clashes = all.flatMap((one, at) =>
    all
      .slice(at + 1)
      .filter((other) => Math.abs(one.x - other.x) < 190 && Math.abs(one.y - other.y) < 52)
      .map((other) => `${one.id} and ${other.id}`),
  );
  expect(clashes).toEqual([]);
});

it("is walked through a block of leaves row by row, and left of it lies their parent", () => {
  const many = [node("root", null), ...Array.from({ length: 40 }, (_, at) => node(`n${at}`, "root"))];
  const above = new Map(many.map(({ id, parentId }) => [id, parentId]));
  const layout = layoutTree(many);
  const walk = (from: string, key: string) => nodeBeside(layout, from, key, (id) => above.get(id) ?? null);
  expect(walk("n0", "ArrowRight")).toBe("n1");
  expect(walk("n1", "ArrowLeft")).toBe("n0");
  expect(walk("n0", "ArrowLeft")).toBe("root");
  const below = walk("n1", "ArrowDown") ?? "";
  expect(layout.places.get(below)?.x).toBe(layout.places.get("n1")?.x);
  expect(walk(below, "ArrowUp")).toBe("n1");
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
