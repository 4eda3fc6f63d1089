import type { TeamPlace } from "@/server/teams/schema";

/**
 * The tree of a team while it is edited. A path names a place by its position under each ancestor: "" is the supervisor,
 * "0.1" the second agent under its first. Every change gives a new tree and leaves the old one as it was.
 */
export type PlaceRow = {
  path: string;
  place: TeamPlace;
  depth: number;
  isFirst: boolean;
  isLast: boolean;
};

const ROOT = "";
const steps = (path: string) => (path === ROOT ? [] : path.split(".").map(Number));
const join = (parent: string, index: number) => (parent === ROOT ? String(index) : `${parent}.${index}`);

export function parentPath(path: string): string | null {
  if (path === ROOT) return null;
  return path.split(".").slice(0, -1).join(".");
}

const indexIn = (path: string) => steps(path).at(-1) ?? 0;

export function findPlace(root: TeamPlace | null, path: string): TeamPlace | null {
  let place = root;
  for (const step of steps(path)) place = place?.children[step] ?? null;
  return place;
}

/** Every place, a supervisor before those under it. */
export function toRows(root: TeamPlace | null): PlaceRow[] {
  const walk = (place: TeamPlace, path: string, depth: number, isFirst: boolean, isLast: boolean): PlaceRow[] => [
    { path, place, depth, isFirst, isLast },
    ...place.children.flatMap((child, index) =>
      walk(child, join(path, index), depth + 1, index === 0, index === place.children.length - 1),
    ),
  ];
  return root ? walk(root, ROOT, 0, true, true) : [];
}

/** The tree with one place exchanged; null takes it out. Null when the root itself is taken out. */
export function withPlace(
  root: TeamPlace,
  path: string,
  change: (place: TeamPlace) => TeamPlace | null,
): TeamPlace | null {
  const [first, ...rest] = steps(path);
  if (first === undefined) return change(root);
  return {
    ...root,
    children: root.children.flatMap((child, index) => {
      if (index !== first) return [child];
      const changed = withPlace(child, rest.join("."), change);
      return changed ? [changed] : [];
    }),
  };
}

export function addUnder(root: TeamPlace, parent: string, place: TeamPlace): { root: TeamPlace; path: string } {
  const at = findPlace(root, parent)?.children.length ?? 0;
  const next = withPlace(root, parent, (above) => ({ ...above, children: [...above.children, place] }));
  return { root: next ?? root, path: join(parent, at) };
}

/** One place up (-1) or down (1) among those under the same supervisor. */
export function shift(root: TeamPlace, path: string, by: -1 | 1): { root: TeamPlace; path: string } {
  const parent = parentPath(path);
  const from = indexIn(path);
  const to = from + by;
  if (parent === null || !findPlace(root, join(parent, to))) return { root, path };
  const next = withPlace(root, parent, (above) => {
    const children = [...above.children];
    const [moved] = children.splice(from, 1);
    if (moved) children.splice(to, 0, moved);
    return { ...above, children };
  });
  return { root: next ?? root, path: join(parent, to) };
}

/** Whether a place may be moved under another: not under itself, nor under those below it, nor where it is already. */
export function canMoveUnder(path: string, target: string): boolean {
  return path !== ROOT && parentPath(path) !== target && !isWithin(target, path);
}

export function isWithin(path: string, above: string): boolean {
  return above === ROOT || path === above || path.startsWith(`${above}.`);
}

export function moveUnder(root: TeamPlace, path: string, target: string): { root: TeamPlace; path: string } {
  const place = findPlace(root, path);
  if (!place || !canMoveUnder(path, target)) return { root, path };
  const added = addUnder(root, target, place);
  const without = withPlace(added.root, path, () => null);
  return { root: without ?? root, path: afterRemoval(added.path, path) };
}

/** Where a place is once another was taken out: later siblings move up. */
function afterRemoval(path: string, removed: string): string {
  const parent = parentPath(removed) ?? ROOT;
  const depth = steps(parent).length;
  const parts = steps(path);
  const at = parts[depth];
  if (!isWithin(path, parent) || at === undefined || at <= indexIn(removed)) return path;
  return parts.map((step, index) => (index === depth ? step - 1 : step)).join(".");
}

/** Agents on the way from the supervisor to a place, itself included: below them they would make a cycle. */
export function agentsAbove(root: TeamPlace | null, path: string): Set<string> {
  const parts = steps(path);
  const paths = [ROOT, ...parts.map((_, index) => parts.slice(0, index + 1).join("."))];
  return new Set(paths.flatMap((each) => findPlace(root, each)?.agentId ?? []));
}

/** Places below one, however deep. */
export function countBelow(place: TeamPlace): number {
  return place.children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}
