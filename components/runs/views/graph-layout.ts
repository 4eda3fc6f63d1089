/**
 * Places of a tree's nodes: depth to the right, the leaves one below the other, each parent in the middle of its children. Where that
 * would be a tower of which a screen shows a tenth, leaves of one parent stand in a block, as many beside each other as fill the screen best.
 */
export type Placed = { id: string; x: number; y: number; depth: number };
/** Leaves of one parent that stand in rows: one line leads to all of them. */
type Block = { parentId: string; ids: readonly string[]; x: number; y: number; width: number; height: number };
export type GraphLayout = {
  places: ReadonlyMap<string, Placed>;
  blocks: readonly Block[];
  order: readonly string[];
  nodeHeight: number;
  width: number;
  height: number;
};
type Box = { width: number; height: number };
type Node = { id: string; parentId: string | null };

export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 52;
/** Where there is room below each other rather than beside: names take two lines. */
const TALL_NODE_HEIGHT = 78;
const COLUMN = NODE_WIDTH + 64;
const GAP = 14;
const MARGIN = 20;
/** Between the leaves of a block and the frame around them. */
const FRAME = 7;

/** From here on all that a node says can be read. */
export const READABLE = 0.7;
/** From here on enough of its name to know it by. */
export const NAMED = 0.28;
/** Wider blocks are not tried. */
const MOST_BESIDE = 40;

/** How much a layout is made smaller to be seen whole; never made larger. */
export function fitOf({ width, height }: GraphLayout, box: Box): number {
  // Rounded down: a scrollbar for half a pixel would be there.
  return Math.floor(1_000 * Math.min(1, box.width / width, box.height / height)) / 1_000;
}

/** Of a name that keeps its size on the screen. */
const [LETTER, LINE, ICON] = [6, 12, 20];

export function linesOf({ nodeHeight }: Pick<GraphLayout, "nodeHeight">, zoom: number): number {
  return Math.max(1, Math.floor((nodeHeight * zoom) / LINE));
}

/** The plain tree where it can be read as a whole, else the layout of which most of each name is seen as a whole, or which is the largest. */
export function layoutFor(nodes: readonly Node[], box: Box): GraphLayout {
  const plain = layoutTree(nodes, { beside: 1 });
  if (box.width === 0 || fitOf(plain, box) >= READABLE) return plain;
  const lettersOf = (layout: GraphLayout) => {
    const fit = fitOf(layout, box);
    return Math.max(0, Math.floor((NODE_WIDTH * fit - ICON) / LETTER)) * linesOf(layout, fit);
  };
  const gain = (one: GraphLayout, other: GraphLayout) =>
    lettersOf(one) - lettersOf(other) || fitOf(one, box) - fitOf(other, box);
  let best = plain;
  for (const nodeHeight of [NODE_HEIGHT, TALL_NODE_HEIGHT]) {
    for (let beside = 1; beside <= Math.min(MOST_BESIDE, nodes.length); beside++) {
      const layout = layoutTree(nodes, { beside, nodeHeight });
      if (gain(layout, best) > 0) best = layout;
      // Wider ones are only smaller.
      if (box.width / layout.width < box.height / layout.height) break;
    }
  }
  return best;
}

/** Nodes come in the order they are to be drawn; one whose parent is not among them is a root. `beside`: leaves in a row, at most. */
export function layoutTree(
  nodes: readonly Node[],
  { beside, nodeHeight = NODE_HEIGHT }: { beside: number; nodeHeight?: number },
): GraphLayout {
  const rowHeight = nodeHeight + GAP;
  const known = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of nodes) {
    const above = parentId !== null && known.has(parentId) ? parentId : null;
    const siblings = children.get(above);
    if (siblings) siblings.push(id);
    else children.set(above, [id]);
  }
  const places = new Map<string, Placed>();
  const blocks: Block[] = [];
  const order: string[] = [];
  /** Where the next row begins, and how far to the right anything reaches. */
  let [next, right] = [MARGIN, 0];
  const put = (id: string, depth: number, x: number, y: number) => {
    right = Math.max(right, x + NODE_WIDTH);
    places.set(id, { id, x, y, depth });
  };
  const isLeaf = (id: string) => !children.has(id);
  const placeLeaves = (ids: readonly string[], depth: number, parentId: string | null) => {
    const columns = Math.min(beside, ids.length);
    const isBlock = columns > 1 && parentId !== null;
    const [left, top] = [MARGIN + COLUMN * depth, next + (isBlock ? FRAME : 0)];
    for (const [i, id] of ids.entries()) {
      order.push(id);
      put(id, depth, left + (NODE_WIDTH + GAP) * (i % columns), top + rowHeight * Math.floor(i / columns));
    }
    const rows = Math.ceil(ids.length / columns);
    next = top + rowHeight * rows + (isBlock ? FRAME : 0);
    if (isBlock) {
      blocks.push({
        ...{ parentId, ids, x: left - FRAME, y: top - FRAME },
        width: (NODE_WIDTH + GAP) * columns - GAP + 2 * FRAME,
        height: rowHeight * rows - GAP + 2 * FRAME,
      });
    }
    return { first: top, last: top + rowHeight * (rows - 1) };
  };
  /** Nodes with one parent; gives the middle of the rows they take. */
  const placeAll = (ids: readonly string[], depth: number, parentId: string | null): number => {
    let [first, last] = [Number.NaN, Number.NaN];
    const took = (from: number, to: number) => {
      if (Number.isNaN(first)) first = from;
      last = to;
    };
    for (const group of grouped(ids, isLeaf)) {
      if (group.areLeaves) {
        const rows = placeLeaves(group.ids, depth, parentId);
        took(rows.first, rows.last);
        continue;
      }
      for (const id of group.ids) {
        order.push(id);
        const y = placeAll(children.get(id) ?? [], depth + 1, id);
        put(id, depth, MARGIN + COLUMN * depth, y);
        took(y, y);
      }
    }
    return (first + last) / 2;
  };
  placeAll(children.get(null) ?? [], 0, null);
  return { ...{ places, blocks, order, nodeHeight }, width: right + MARGIN, height: next - GAP + MARGIN };
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
