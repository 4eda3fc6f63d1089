import { type Axis, createAxis, type Span, type Stretch } from "@/components/runs/run-axis";
import { isFiltering, matcherOf, type RunFilter } from "@/components/runs/run-filter";
import { agentKey, type RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { isTerminal } from "@/server/engine/state";

export type RunRow = {
  node: RunNode;
  depth: number;
  parentKey: string | null;
  /** Rows directly under it that pass the filter. */
  childCount: number;
  unfolded: boolean;
  /** For each level above: whether a guide line goes on below this row. */
  guides: readonly boolean[];
};

type RowsInput = { nodes: readonly RunNode[]; filter: RunFilter; folded: ReadonlySet<string> };

/** The rows to show, in order. A filter keeps what matches, unfolded, with everything above it unless only matches are wanted. */
export function listRunRows({ nodes, filter, folded }: RowsInput): RunRow[] {
  if (!isFiltering(filter)) return treeRows(nodes, null, folded);
  const matches = matchingKeys(nodes, matcherOf(filter));
  if (!filter.only) return treeRows(nodes, withAbove(nodes, matches), folded);
  const rows: RunRow[] = [];
  const walk = (node: RunNode, parentKey: string | null) => {
    if (matches.has(node.key)) {
      rows.push({ node, depth: 0, parentKey, childCount: 0, unfolded: true, guides: [] });
    }
    for (const child of node.children) walk(child, node.key);
  };
  for (const node of nodes) walk(node, null);
  return rows;
}

/** `kept`: which rows are shown, all of them unfolded; null: all that is not folded away. */
function treeRows(nodes: readonly RunNode[], kept: ReadonlySet<string> | null, folded: ReadonlySet<string>): RunRow[] {
  const rows: RunRow[] = [];
  const walk = (siblings: readonly RunNode[], parentKey: string | null, guides: readonly boolean[]) => {
    const shown = kept ? siblings.filter((node) => kept.has(node.key)) : siblings;
    shown.forEach((node, at) => {
      const childCount = kept ? node.children.filter((child) => kept.has(child.key)).length : node.children.length;
      const unfolded = kept !== null || !folded.has(node.key);
      rows.push({ node, depth: guides.length, parentKey, childCount, unfolded, guides });
      if (unfolded) walk(node.children, node.key, [...guides, at < shown.length - 1]);
    });
  };
  walk(nodes, null, []);
  return rows;
}

function matchingKeys(nodes: readonly RunNode[], matches: (node: RunNode, agent: string) => boolean): Set<string> {
  const found = new Set<string>();
  const visit = (node: RunNode, above: string) => {
    const agent = node.item.type === "agent" ? node.name : above;
    if (matches(node, agent)) found.add(node.key);
    for (const child of node.children) visit(child, agent);
  };
  for (const node of nodes) visit(node, "");
  return found;
}

function withAbove(nodes: readonly RunNode[], keys: ReadonlySet<string>): Set<string> {
  const kept = new Set<string>();
  const visit = (node: RunNode): boolean => {
    let wanted = keys.has(node.key);
    for (const child of node.children) wanted = visit(child) || wanted;
    if (wanted) kept.add(node.key);
    return wanted;
  };
  nodes.forEach(visit);
  return kept;
}

/** Every node with the one above it, folded or not. */
export function indexNodes(nodes: readonly RunNode[]): Map<string, { node: RunNode; parent: RunNode | null }> {
  const index = new Map<string, { node: RunNode; parent: RunNode | null }>();
  const visit = (node: RunNode, parent: RunNode | null) => {
    index.set(node.key, { node, parent });
    for (const child of node.children) visit(child, node);
  };
  for (const node of nodes) visit(node, null);
  return index;
}

export type NodeIndex = ReturnType<typeof indexNodes>;

/** The nodes above one, from the root down. */
export function pathTo(index: NodeIndex, key: string): RunNode[] {
  const path: RunNode[] = [];
  for (let node = index.get(key)?.parent; node; node = index.get(node.key)?.parent) path.unshift(node);
  return path;
}

/** Agent runs that start folded: finished well, so nothing in them asks for attention. */
export function foldedAtFirst(state: RunState): Set<string> {
  return new Set(
    state.agents
      .filter((agent) => agent.parentId !== null && agent.status === "completed")
      .map((agent) => agentKey(agent.id)),
  );
}

/** Every agent run but the root. */
export function allAgentKeys(state: RunState): Set<string> {
  return new Set(state.agents.filter((agent) => agent.parentId !== null).map((agent) => agentKey(agent.id)));
}

/** What the page opens on: what waits for a person, else the deepest failure, else the root. */
export function selectedAtFirst(nodes: readonly RunNode[]): string | null {
  return firstWaiting(nodes) ?? deepestFailure(nodes) ?? nodes[0]?.key ?? null;
}

export function firstWaiting(nodes: readonly RunNode[]): string | null {
  const waiting = everyNode(nodes).find(
    ({ node: { item } }) => item.type === "step" && item.request?.status === "open",
  );
  return waiting?.node.key ?? null;
}

export function deepestFailure(nodes: readonly RunNode[]): string | null {
  const failed = everyNode(nodes).filter(({ node }) => node.status === "failed");
  const deepest = failed.reduce((deep, { depth }) => Math.max(deep, depth), 0);
  return failed.find(({ depth }) => depth === deepest)?.node.key ?? null;
}

/** The newest row in which something moves: where the live edge is. */
export function liveEdge(nodes: readonly RunNode[]): string | null {
  const moving = everyNode(nodes).filter(({ node }) => node.endMs === null && node.item.type === "step");
  return (
    moving.reduce(
      (newest, { node }) => (newest && newest.startMs > node.startMs ? newest : node),
      null as RunNode | null,
    )?.key ?? null
  );
}

/** The newest instant anything in the run names, in epoch ms. */
export function newestMs(nodes: readonly RunNode[]): number {
  return everyNode(nodes).reduce((newest, { node }) => Math.max(newest, node.startMs, node.endMs ?? 0), 0);
}

function everyNode(nodes: readonly RunNode[], depth = 0, found: { node: RunNode; depth: number }[] = []) {
  for (const node of nodes) {
    found.push({ node, depth });
    everyNode(node.children, depth + 1, found);
  }
  return found;
}

/** When steps worked, joined. Time in which only people were waited for, or child agents, is not in it. */
export function activeStretches(nodes: readonly RunNode[]): Stretch[] {
  const active: Stretch[] = [];
  const visit = (node: RunNode) => {
    if (node.item.type === "step")
      active.push(...node.segments.filter(({ kind }) => kind !== "waiting" && kind !== "children"));
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  const joined: Stretch[] = [];
  for (const stretch of active.sort((a, b) => a.startMs - b.startMs)) {
    const before = joined.at(-1);
    if (!before || (before.endMs !== null && stretch.startMs > before.endMs)) joined.push({ ...stretch });
    else if (before.endMs !== null)
      before.endMs = stretch.endMs === null ? null : Math.max(before.endMs, stretch.endMs);
  }
  return joined;
}

/** The axis of a run: from its creation, or the first of what it was copied from, to its end, or to now. */
export function runAxis({
  run,
  active,
  nowMs,
  zoom = null,
}: {
  run: RunState["run"];
  active: readonly Stretch[];
  nowMs: number;
  zoom?: Span | null;
}): Axis {
  const endMs = isTerminal(run.status) && run.finishedAt ? Date.parse(run.finishedAt) : nowMs;
  const startMs = Math.min(Date.parse(run.createdAt), ...active.slice(0, 1).map((first) => first.startMs));
  return createAxis({ startMs, endMs, active, zoom });
}
