import { expect, it } from "vitest";
import { fitOf, layoutFor, layoutTree, NODE_WIDTH, nodeBeside, READABLE } from "./graph-layout";

const node = (id: string, parentId: string | null) => ({ id, parentId });
const TREE = [node("root", null), node("a", "root"), node("b", "root"), node("a1", "a"), node("a2", "a")];
const parents = new Map(TREE.map(({ id, parentId }) => [id, parentId]));
const parentOf = (id: string) => parents.get(id) ?? null;

it("puts each parent in the middle of its children, and nothing over another", () => {
  const { places, width, height } = layoutTree(TREE, { beside: 1 });
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

const DESK = { width: 800, height: 560 };
const PHONE = { width: 390, height: 380 };
/** A lead, nine below it, and twenty below each of those. */
const LARGE = [
  node("root", null),
  ...Array.from({ length: 9 }, (_, lead) => [
    node(`l${lead}`, "root"),
    ...Array.from({ length: 20 }, (_, at) => node(`l${lead}n${at}`, `l${lead}`)),
  ]).flat(),
];

it.each([
  ["a desk", DESK, 0.3],
  ["a phone", PHONE, 0.18],
])("190 agents are seen whole on %s, apart from each other, and fill it", (_, box, least) => {
  const layout = layoutFor(LARGE, box);
  const fit = fitOf(layout, box);
  expect(fit).toBeGreaterThan(least);
  expect(layout.width * fit).toBeLessThanOrEqual(box.width);
  expect(layout.height * fit).toBeLessThanOrEqual(box.height);
  expect(layout.places.size).toBe(LARGE.length);
  const all = [...layout.places.values()];
  const clashes = all.flatMap((one, at) =>
    all
      .slice(at + 1)
      .filter((other) => Math.abs(one.x - other.x) < NODE_WIDTH && Math.abs(one.y - other.y) < layout.nodeHeight)
      .map((other) => `${one.id} and ${other.id}`),
  );
  expect(clashes).toEqual([]);
});

it("frames the leaves of one parent that stand in rows, and none of another", () => {
  const { blocks, places } = layoutFor(LARGE, DESK);
  expect(blocks.map(({ parentId, ids }) => [parentId, ids.length])).toEqual(
    Array.from({ length: 9 }, (_, lead) => [`l${lead}`, 20]),
  );
  for (const { ids, ...frame } of blocks) {
    const inside = [...places.values()].filter(
      ({ x, y }) => x > frame.x && x < frame.x + frame.width && y > frame.y && y < frame.y + frame.height,
    );
    expect(inside.map(({ id }) => id)).toEqual(ids);
  }
});

it("stays the plain tree where that can be read, and a node whose parent is missing is a root", () => {
  const layout = layoutFor([...TREE, node("lost", "gone")], DESK);
  expect(fitOf(layout, DESK)).toBeGreaterThan(READABLE);
  expect(layout.blocks).toEqual([]);
  expect(layout.places.get("lost")?.depth).toBe(0);
});

it("is walked through a block of leaves row by row, and left of it lies their parent", () => {
  const many = [node("root", null), ...Array.from({ length: 40 }, (_, at) => node(`n${at}`, "root"))];
  const above = new Map(many.map(({ id, parentId }) => [id, parentId]));
  const layout = layoutTree(many, { beside: 6 });
  const walk = (from: string, key: string) => nodeBeside(layout, from, key, (id) => above.get(id) ?? null);
  expect(walk("n0", "ArrowRight")).toBe("n1");
  expect(walk("n1", "ArrowLeft")).toBe("n0");
  expect(walk("n0", "ArrowLeft")).toBe("root");
  const below = walk("n1", "ArrowDown") ?? "";
  expect(layout.places.get(below)?.x).toBe(layout.places.get("n1")?.x);
  expect(walk(below, "ArrowUp")).toBe("n1");
});

it("is walked by arrows: in, out, up and down", () => {
  const layout = layoutTree(TREE, { beside: 1 });
  const walk = (from: string, key: string) => nodeBeside(layout, from, key, parentOf);
  expect(walk("root", "ArrowRight")).toBe("a");
  expect(walk("a", "ArrowDown")).toBe("b");
  expect(walk("b", "ArrowUp")).toBe("a");
  expect(walk("a2", "ArrowLeft")).toBe("a");
  expect(walk("root", "ArrowLeft")).toBeNull();
  expect(walk("a", "End")).toBe("b");
});
