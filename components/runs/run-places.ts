import type { RunIndex } from "@/components/runs/run-index";
import { agentKey, type RunNode } from "@/components/runs/run-nodes";

type Place = { node: RunNode; parent: RunNode | null };

/** Finds a row by its key, folded or not, and the one above it. Of a large run only what lies on the way is made. */
export type RunPlaces = { get: (key: string) => Place | undefined; has: (key: string) => boolean };

export function placesOf(nodes: readonly RunNode[], index: RunIndex): RunPlaces {
  const known = new Map<string, Place>(nodes.map((node) => [node.key, { node, parent: null }]));
  const entered = new Set<string>();

  function enter(agentRunId: string): void {
    if (entered.has(agentRunId)) return;
    entered.add(agentRunId);
    const agent = find(agentKey(agentRunId))?.node;
    for (const child of agent?.children ?? []) {
      known.set(child.key, { node: child, parent: agent ?? null });
      if (child.item.type !== "decision") continue;
      for (const started of child.children) known.set(started.key, { node: started, parent: child });
    }
  }

  function find(key: string): Place | undefined {
    const owner = known.has(key) ? null : ownerOf(key, index);
    if (owner !== null) enter(owner);
    return known.get(key);
  }

  return { get: find, has: (key) => find(key) !== undefined };
}

/** The agent run under whose row another row is. */
function ownerOf(key: string, index: RunIndex): string | null {
  const [, kind, id = ""] = /^(agent|decision):(.+)$/.exec(key) ?? [];
  if (kind === "decision") return index.decisions.get(id)?.agentRunId ?? null;
  if (kind === undefined) return key.slice(0, key.lastIndexOf("."));
  const agent = index.agents.get(id);
  return agent ? index.ownerOf(agent) : null;
}

/** The nodes above one, from the root down. */
export function pathTo(places: RunPlaces, key: string): RunNode[] {
  const path: RunNode[] = [];
  for (let node = places.get(key)?.parent; node; node = places.get(node.key)?.parent) path.unshift(node);
  return path;
}
