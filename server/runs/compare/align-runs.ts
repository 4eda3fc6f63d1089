import type { AgentRow } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";
import type { Parts } from "@/server/in-parts";
import { type AlignedEntry, alignEntries } from "./align-entries";
import { type Entry, listEntries, type RunShape } from "./list-entries";
import { type AgentRunPair, pairChildren } from "./pair-children";
import type { PairState } from "./schema";

/** An agent run and its counterpart, with what they did side by side. */
export type AlignedPair = AgentRunPair & {
  state: PairState;
  /** The other run is still at work and may yet start it. */
  ahead: boolean;
  /** Index of the pair above, which comes before it; null: the root. */
  parent: number | null;
  /** Index, among the entries of the pair above, of the decision that started it; null: none did. */
  under: number | null;
  entries: AlignedEntry[];
};

/** Two runs side by side: agent runs by their place in the tree, and what each did in order of position. */
export function* alignRuns(left: RunShape, right: RunShape): Parts<AlignedPair[]> {
  const sides = { left: yield* sideOf(left), right: yield* sideOf(right) };
  const pairs: AlignedPair[] = [];
  const parting = partingOf(left.run, right.run);

  function* visit(pair: AgentRunPair, parent: number | null): Parts<void> {
    yield;
    const entries = yield* alignEntries({
      left: entriesOf(sides.left, pair.left),
      right: entriesOf(sides.right, pair.right),
      leftGoesOn: goesOn(pair.left),
      rightGoesOn: goesOn(pair.right),
      partedAt: parting && pair[parting.origin]?.id === parting.agentRunId ? parting.position : null,
    });
    const above = parent === null ? null : (pairs[parent] ?? null);
    const under = above && starterAmong(above.entries, pair);
    const at = pairs.length;
    pairs.push({ ...pair, state: stateOf(pair), ahead: isAhead(pair, above, under), parent, under, entries });
    const children = pairChildren(
      childrenOf(sides.left, pair.left),
      childrenOf(sides.right, pair.right),
      counterpartsIn(entries),
    );
    for (const child of children) yield* visit(child, at);
  }

  const [leftRoot = null] = sides.left.children.get(null) ?? [];
  const [rightRoot = null] = sides.right.children.get(null) ?? [];
  if (leftRoot ?? rightRoot) yield* visit({ left: leftRoot, right: rightRoot }, null);
  return pairs;
}

/** Where one of two runs was retried from the other; null where neither was. */
function partingOf(left: RunShape["run"], right: RunShape["run"]) {
  if (left.id && right.forkOf?.id === left.id) return { ...right.forkOf, origin: "left" as const };
  if (right.id && left.forkOf?.id === right.id) return { ...left.forkOf, origin: "right" as const };
  return null;
}

type Side = { entries: Map<string, Entry[]>; children: Map<string | null, AgentRow[]> };

function* sideOf(shape: RunShape): Parts<Side> {
  const children = new Map<string | null, AgentRow[]>();
  for (const agent of shape.agents) {
    const siblings = children.get(agent.parentId);
    if (siblings) siblings.push(agent);
    else children.set(agent.parentId, [agent]);
  }
  return { entries: yield* listEntries(shape), children };
}

const entriesOf = (side: Side, agent: AgentRow | null) => (agent && side.entries.get(agent.id)) ?? [];
const childrenOf = (side: Side, agent: AgentRow | null) => (agent && side.children.get(agent.id)) ?? [];
const goesOn = (agent: AgentRow | null) => agent !== null && !isTerminal(agent.status);

/** While one of them goes on nothing is known of how it ends. */
function stateOf({ left, right }: AgentRunPair): PairState {
  if (!right) return "only-left";
  if (!left) return "only-right";
  return left.status === right.status || goesOn(left) || goesOn(right) ? "same" : "changed";
}

function isAhead({ left, right }: AgentRunPair, above: AlignedPair | null, under: number | null): boolean {
  if (!above || (left && right)) return false;
  if (!above.left || !above.right) return above.ahead;
  const starter = under === null ? null : above.entries[under];
  // Of a choice that was made otherwise nothing comes any more.
  const mayCome = !starter || starter.ahead || starter.state === "same";
  return mayCome && goesOn(left ? above.right : above.left);
}

function starterAmong(entries: readonly AlignedEntry[], { left, right }: AgentRunPair): number | null {
  const starts = (entry: Entry | null, agent: AgentRow | null) =>
    entry?.place.type === "decision" && entry.place.id === agent?.spawnedById;
  const inLeft = left ? entries.findIndex((entry) => starts(entry.left, left)) : -1;
  const at = inLeft === -1 && right ? entries.findIndex((entry) => starts(entry.right, right)) : inLeft;
  return at === -1 ? null : at;
}

/** The left decision that stands beside a right one. */
function counterpartsIn(entries: readonly AlignedEntry[]): (rightDecisionId: string) => string | null {
  const counterparts = new Map<string, string>();
  for (const { left, right } of entries) {
    if (left?.place.type === "decision" && right?.place.type === "decision")
      counterparts.set(right.place.id, left.place.id);
  }
  return (id) => counterparts.get(id) ?? null;
}
