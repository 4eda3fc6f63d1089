/** Places of a tree's nodes: depth to the right, the leaves one below the other, each parent in the middle of its children. */
export type Placed = { id: string; x: number; y: number; depth: number };
export type GraphLayout = {
  places: ReadonlyMap<string, Placed>;
  order: readonly string[];
  width: number;
  height: number;
};

export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 52;
const COLUMN = NODE_WIDTH + 64;
const ROW = NODE_HEIGHT + 14;
const MARGIN = 20;

/** Nodes come in the order they are to be drawn; one whose parent is not among them is a root. */
export function layoutTree(nodes: readonly { id: string; parentId: string | null }[]): GraphLayout {
  const known = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of nodes) {
    const above = parentId !== null && known.has(parentId) ? parentId : null;
    const siblings = children.get(above);
    if (siblings) siblings.push(id);
    else children.set(above, [id]);
  }
  const places = new Map<string, Placed>();
  const order: string[] = [];
  let row = 0;
  let deepest = 0;
  const place = (id: string, depth: number): number => {
    order.push(id);
    deepest = Math.max(deepest, depth);
    const below = (children.get(id) ?? []).map((child) => place(child, depth + 1));
    const y = below.length === 0 ? MARGIN + ROW * row++ : ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2;
    places.set(id, { id, x: MARGIN + COLUMN * depth, y, depth });
    return y;
  };
  for (const root of children.get(null) ?? []) place(root, 0);
  return {
    ...{ places, order },
    width: 2 * MARGIN + COLUMN * deepest + NODE_WIDTH,
    height: 2 * MARGIN + ROW * Math.max(0, row - 1) + NODE_HEIGHT,
  };
}

/** The node an arrow key leads to. */
export function nodeBeside(
  layout: GraphLayout,
  id: string,
  key: string,
  parentOf: (id: string) => string | null,
): string | null {
  const at = layout.places.get(id);
  if (!at) return layout.order[0] ?? null;
  const all = [...layout.places.values()];
  switch (key) {
    case "ArrowLeft":
      return parentOf(id);
    case "ArrowRight":
      return nearest(
        all.filter((node) => parentOf(node.id) === id),
        at.y,
      );
    case "ArrowDown":
      return nearest(
        all.filter((node) => node.depth === at.depth && node.y > at.y),
        at.y,
      );
    case "ArrowUp":
      return nearest(
        all.filter((node) => node.depth === at.depth && node.y < at.y),
        at.y,
      );
    case "Home":
      return layout.order[0] ?? null;
    case "End":
      return layout.order.at(-1) ?? null;
    default:
      return null;
  }
}

function nearest(nodes: readonly Placed[], y: number): string | null {
  return (
    nodes.reduce<Placed | null>(
      (best, node) => (best && Math.abs(best.y - y) <= Math.abs(node.y - y) ? best : node),
      null,
    )?.id ?? null
  );
}
