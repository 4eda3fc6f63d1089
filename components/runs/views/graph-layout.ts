/**
 * Places of a tree's nodes: depth to the right, the leaves one below the other, each parent in the middle of its children. Many leaves
 * side by side become a block, about as wide as high: 200 of them in one column would be a tower of which a screen shows a tenth.
 */
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
/** As many leaves in a row stay one below the other. */
const MOST_IN_A_COLUMN = 12;

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
  let furthest = 0;
  const put = (id: string, depth: number, column: number, y: number) => {
    furthest = Math.max(furthest, column);
    places.set(id, { id, x: MARGIN + COLUMN * column, y, depth });
  };
  const isLeaf = (id: string) => !children.has(id);
  /** Nodes with one parent; gives the middle of the rows they take. */
  const placeAll = (ids: readonly string[], depth: number): number => {
    let [first, last] = [Number.NaN, Number.NaN];
    const took = (y: number) => {
      if (Number.isNaN(first)) first = y;
      last = y;
    };
    for (const group of grouped(ids, isLeaf)) {
      const columns = group.areLeaves ? columnsFor(group.ids.length) : 1;
      for (const [i, id] of group.ids.entries()) {
        order.push(id);
        const below = children.get(id);
        const y = below ? placeAll(below, depth + 1) : MARGIN + ROW * (row + Math.floor(i / columns));
        put(id, depth, depth + (i % columns), y);
        took(y);
      }
      if (group.areLeaves) row += Math.ceil(group.ids.length / columns);
    }
    return (first + last) / 2;
  };
  placeAll(children.get(null) ?? [], 0);
  return {
    ...{ places, order },
    width: 2 * MARGIN + COLUMN * furthest + NODE_WIDTH,
    height: 2 * MARGIN + ROW * Math.max(0, row - 1) + NODE_HEIGHT,
  };
}

/** Leaves that follow each other together, the others each by itself, in their order. */
function grouped(ids: readonly string[], isLeaf: (id: string) => boolean): { ids: string[]; areLeaves: boolean }[] {
  const groups: { ids: string[]; areLeaves: boolean }[] = [];
  for (const id of ids) {
    const last = groups.at(-1);
    if (isLeaf(id) && last?.areLeaves) last.ids.push(id);
    else groups.push({ ids: [id], areLeaves: isLeaf(id) });
  }
  return groups;
}

function columnsFor(leaves: number): number {
  return leaves <= MOST_IN_A_COLUMN ? 1 : Math.ceil(Math.sqrt((leaves * ROW) / COLUMN));
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
  // Of a block of leaves those to its left and right come first.
  const row = all.filter((node) => node.y === at.y && node.depth === at.depth && parentOf(node.id) === parentOf(id));
  const column = all.filter((node) => node.x === at.x);
  switch (key) {
    case "ArrowLeft":
      return row.findLast((node) => node.x < at.x)?.id ?? parentOf(id);
    case "ArrowRight":
      return (
        nearest(
          all.filter((node) => parentOf(node.id) === id),
          at.y,
        ) ??
        row.find((node) => node.x > at.x)?.id ??
        null
      );
    case "ArrowDown":
      return nearest(
        column.filter((node) => node.y > at.y),
        at.y,
      );
    case "ArrowUp":
      return nearest(
        column.filter((node) => node.y < at.y),
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
