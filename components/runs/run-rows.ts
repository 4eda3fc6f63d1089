import { type Axis, createAxis, type Span, type Stretch } from "@/components/runs/run-axis";
import { isFiltering, matcherOf, type RunFilter } from "@/components/runs/run-filter";
import type { RunIndex } from "@/components/runs/run-index";
import { agentKey, type RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { spanOf } from "@/components/runs/run-step-span";
import { isTerminal } from "@/server/engine/state";

export type RunRow = {
  node: RunNode;
  depth: number;
  parentKey: string | null;
  /** Rows directly under it that pass the filter. */
  childCount: number;
  unfolded: boolean;
  /** Whose it is, where it does not stand below that. */
  agent: string | null;
};

type RowsInput = { nodes: readonly RunNode[]; filter: RunFilter; folded: ReadonlySet<string> };

/** The rows to show, in order. A filter keeps what matches, unfolded, with everything above it unless only matches are wanted. */
export function listRunRows({ nodes, filter, folded }: RowsInput): RunRow[] {
  if (!isFiltering(filter)) return treeRows(nodes, null, folded);
  const matches = matchingKeys(nodes, matcherOf(filter));
  if (!filter.only) return treeRows(nodes, withAbove(nodes, matches), folded);
  const rows: RunRow[] = [];
  const walk = (node: RunNode, parentKey: string | null, above: string | null) => {
    const isAgent = node.item.type === "agent";
    if (matches.has(node.key)) {
      rows.push({ node, depth: 0, parentKey, childCount: 0, unfolded: true, agent: isAgent ? null : above });
    }
    for (const child of node.children) walk(child, node.key, isAgent ? node.name : above);
  };
  for (const node of nodes) walk(node, null, null);
  return rows;
}

/** `kept`: which rows are shown, all of them unfolded; null: all that is not folded away. */
function treeRows(nodes: readonly RunNode[], kept: ReadonlySet<string> | null, folded: ReadonlySet<string>): RunRow[] {
  const rows: RunRow[] = [];
  const walk = (siblings: readonly RunNode[], parentKey: string | null, depth: number) => {
    const shown = kept ? siblings.filter((node) => kept.has(node.key)) : siblings;
    for (const node of shown) {
      const childCount = kept ? node.children.filter((child) => kept.has(child.key)).length : node.childCount;
      const unfolded = kept !== null || !folded.has(node.key);
      rows.push({ node, depth, parentKey, childCount, unfolded, agent: null });
      if (unfolded) walk(node.children, node.key, depth + 1);
    }
  };
  walk(nodes, null, 0);
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
export function selectedAtFirst(nodes: readonly RunNode[], index: RunIndex): string | null {
  return firstWaiting(nodes, index) ?? deepestFailure(nodes, index) ?? nodes[0]?.key ?? null;
}

export function firstWaiting(nodes: readonly RunNode[], index: RunIndex): string | null {
  const asking = index.rows.requests.filter(({ status }) => status === "open").map(({ agentRunId }) => agentRunId);
  const isWaiting = ({ item }: RunNode) => item.type === "step" && item.request?.status === "open";
  return firstIn(nodes, withOwners(asking, index), isWaiting)?.key ?? null;
}

export function deepestFailure(nodes: readonly RunNode[], index: RunIndex): string | null {
  const depths = new Map<string, number>();
  const fails = (agentRunId: string, depth: number) => {
    depths.set(agentRunId, Math.max(depth, depths.get(agentRunId) ?? 0));
  };
  for (const { id, status } of index.rows.agents) if (status === "failed") fails(id, depthOf(id, index));
  for (const { agentRunId, status } of index.rows.steps) {
    if (status === "failed") fails(agentRunId, depthOf(agentRunId, index) + 1);
  }
  const deepest = [...depths.values()].reduce((a, b) => Math.max(a, b), 0);
  const failing = [...depths.keys()].filter((id) => depths.get(id) === deepest);
  const isDeepest = ({ status }: RunNode, depth: number) => status === "failed" && depth === deepest;
  return firstIn(nodes, withOwners(failing, index), isDeepest)?.key ?? null;
}

/** The newest row in which something moves: where the live edge is. */
export function liveEdge(nodes: readonly RunNode[]): string | null {
  const moving = everyNode(nodes).filter((node) => node.endMs === null && node.item.type === "step");
  return (
    moving.reduce((newest, node) => (newest && newest.startMs > node.startMs ? newest : node), null as RunNode | null)
      ?.key ?? null
  );
}

/** The newest instant anything in the run names, in epoch ms. */
export function newestMs({ rows }: RunIndex): number {
  // Instants of one form: later ones are greater as texts, too.
  let newest = "";
  const look = (instant: string | null) => {
    if (instant !== null && instant > newest) newest = instant;
  };
  for (const agent of rows.agents) {
    look(agent.createdAt);
    look(agent.finishedAt);
    for (const open of agent.openSteps) look(open.startedAt);
  }
  for (const step of rows.steps) look(step.finishedAt);
  for (const decision of rows.decisions) look(decision.at);
  for (const request of rows.requests) {
    look(request.createdAt);
    look(request.answeredAt);
  }
  return newest === "" ? 0 : Date.parse(newest);
}

function everyNode(nodes: readonly RunNode[], found: RunNode[] = []): RunNode[] {
  for (const node of nodes) {
    found.push(node);
    everyNode(node.children, found);
  }
  return found;
}

/** Agent runs with all those under whose rows theirs are. */
function withOwners(agentRunIds: readonly string[], index: RunIndex): Set<string> {
  const found = new Set<string>();
  for (const id of agentRunIds) {
    let agent = index.agents.get(id);
    while (agent && !found.has(agent.id)) {
      found.add(agent.id);
      agent = index.agents.get(index.ownerOf(agent) ?? "");
    }
  }
  return found;
}

/** How deep the row of an agent run lies; 0: a root's. */
function depthOf(agentRunId: string, index: RunIndex): number {
  let depth = 0;
  let agent = index.agents.get(agentRunId);
  while (agent && agent.parentId !== null) {
    depth += agent.spawnedById !== null && index.decisions.has(agent.spawnedById) ? 2 : 1;
    agent = index.agents.get(index.ownerOf(agent) ?? "");
  }
  return depth;
}

/** The first such row in or above the rows of some agent runs: of all others nothing is made. */
function firstIn(
  nodes: readonly RunNode[],
  agentRunIds: ReadonlySet<string>,
  isWanted: (node: RunNode, depth: number) => boolean,
  depth = 0,
): RunNode | undefined {
  for (const node of nodes) {
    if (isWanted(node, depth)) return node;
    if (node.item.type === "agent" && !agentRunIds.has(node.item.agent.id)) continue;
    const below = firstIn(node.children, agentRunIds, isWanted, depth + 1);
    if (below) return below;
  }
  return undefined;
}

/** How many rows there are, folded ones too. */
export function countRows(index: RunIndex): number {
  const { agents, decisions } = index.rows;
  return agents.reduce((sum, agent) => sum + index.shownPartsOf(agent).length, agents.length + decisions.length);
}

/** When steps worked, joined. Time in which only people were waited for, or child agents, is not in it. */
export function activeStretches(index: RunIndex): Stretch[] {
  const active: Stretch[] = [];
  for (const agent of index.rows.agents) {
    const stillMs = index.stillSince(agent);
    for (const part of index.shownPartsOf(agent)) {
      const { kind, ...stretch } = spanOf(part, agent, stillMs).segment;
      if (kind !== "waiting" && kind !== "children") active.push(stretch);
    }
  }
  const joined: Stretch[] = [];
  for (const stretch of active.sort((a, b) => a.startMs - b.startMs)) {
    const before = joined.at(-1);
    if (!before || (before.endMs !== null && stretch.startMs > before.endMs)) joined.push(stretch);
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
