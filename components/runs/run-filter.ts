import { rowKindOf } from "@/components/runs/row-kind";
import type { RunNode } from "@/components/runs/run-nodes";
import type { RowKind } from "@/components/ui/status";

/** Which rows of a run are looked for. Null and "" ask for nothing. */
export type RunFilter = {
  lens: Lens;
  /** In the name of a row and what stands beside it; of a decision also in its reasons. */
  text: string;
  /** Name of an agent: its own row, its steps and its decisions. */
  agent: string | null;
  kind: RowKind | null;
  /** What the row itself cost, at least. */
  minCostNanoUsd: number | null;
  /** How long it took, at least; what goes on may still take that long. */
  minMs: number | null;
  /** Only what matches, in one list; else with all above it. */
  only: boolean;
};

export const LENSES = ["all", "decisions", "waiting", "failed"] as const;
export type Lens = (typeof LENSES)[number];

export const NO_FILTER: RunFilter = {
  ...{ lens: "all", text: "", agent: null, kind: null },
  ...{ minCostNanoUsd: null, minMs: null, only: false },
};

/** Kinds a person can ask for, in the order they are offered. */
export const FILTER_KINDS = ["model", "tool", "retrieval", "human", "summary", "decision", "agent"] as const;

/** How many of the conditions that hide behind the menu hold. */
export function countConditions({ agent, kind, minCostNanoUsd, minMs }: RunFilter): number {
  return [agent, kind, minCostNanoUsd, minMs].filter((condition) => condition !== null).length;
}

export function isFiltering(filter: RunFilter): boolean {
  return filter.lens !== "all" || filter.text.trim() !== "" || countConditions(filter) > 0;
}

/** Whether a row is one of those looked for. `agent`: whose it is. */
export function matcherOf(filter: RunFilter): (node: RunNode, agent: string) => boolean {
  const needle = filter.text.trim().toLowerCase();
  const { minCostNanoUsd, minMs } = filter;
  return (node, agent) =>
    passesLens(node, filter.lens) &&
    (needle === "" || textsOf(node).some((text) => text?.toLowerCase().includes(needle))) &&
    (filter.agent === null || filter.agent === agent) &&
    (filter.kind === null || isOfKind(node, filter.kind)) &&
    (minCostNanoUsd === null || (node.own?.costNanoUsd ?? -1) >= minCostNanoUsd) &&
    (minMs === null || (node.item.type !== "decision" && (node.endMs === null || node.endMs - node.startMs >= minMs)));
}

function textsOf({ name, context, item }: RunNode): (string | null)[] {
  const words = `${name} ${context ?? ""}`;
  if (item.type !== "decision") return [words];
  return [words, item.decision.reason, ...item.decision.chosen.map(({ reason }) => reason)];
}

function isOfKind(node: RunNode, kind: RowKind): boolean {
  const own = rowKindOf(node);
  return own === kind || (kind === "agent" && own === "team");
}

function passesLens(node: RunNode, lens: Lens): boolean {
  if (lens === "all") return true;
  if (lens === "decisions") return node.item.type === "decision";
  return node.item.type !== "decision" && node.status === lens;
}

const MOST_CHARACTERS = 200;

/** From an address; what it does not know means nothing is asked for. */
export function readRunFilter(params: Pick<URLSearchParams, "get">): RunFilter {
  const lens = params.get("show");
  const kind = params.get("kind");
  return {
    lens: LENSES.find((known) => known === lens) ?? "all",
    text: (params.get("q") ?? "").slice(0, MOST_CHARACTERS),
    agent: params.get("of")?.slice(0, MOST_CHARACTERS) || null,
    kind: FILTER_KINDS.find((known) => known === kind) ?? null,
    minCostNanoUsd: readWhole(params.get("cost")),
    minMs: readWhole(params.get("ms")),
    only: params.get("only") === "1",
  };
}

/** The parameters of a change; null: taken away, absent: left as it is. */
export function runFilterParams(change: Partial<RunFilter>): Record<string, string | null> {
  const params: Record<string, string | null> = {};
  if (change.lens !== undefined) params.show = change.lens === "all" ? null : change.lens;
  if (change.text !== undefined) params.q = change.text.trim() === "" ? null : change.text;
  if (change.agent !== undefined) params.of = change.agent;
  if (change.kind !== undefined) params.kind = change.kind;
  if (change.minCostNanoUsd !== undefined) params.cost = change.minCostNanoUsd?.toString() ?? null;
  if (change.minMs !== undefined) params.ms = change.minMs?.toString() ?? null;
  if (change.only !== undefined) params.only = change.only ? "1" : null;
  return params;
}

/** A whole number of at most 15 digits: more no address of ours holds. */
function readWhole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
