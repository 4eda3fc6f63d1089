import type { RunNode } from "@/components/runs/run-nodes";
import type { Spent } from "@/components/runs/run-spent";
import {
  formatCount,
  formatDuration,
  formatElapsed,
  formatMoney,
  formatPlural,
  formatTokens,
} from "@/components/ui/format";
import type { DecisionRow } from "@/server/engine/events";

/** How long a row took, or has taken so far. */
export function RowTime({ node, nowMs }: { node: RunNode; nowMs: number }) {
  if (node.item.type === "decision") return null;
  if (node.endMs === null) return formatElapsed(nowMs - node.startMs);
  return formatDuration(node.endMs - node.startMs);
}

/** Tokens of a row, an agent run's with everything below. */
export function RowTokens({ node }: { node: RunNode }) {
  const spent = node.tree ?? node.own;
  if (!spent || spent.inputTokens + spent.outputTokens === 0) return null;
  const own =
    node.tree && node.own && node.tree !== node.own
      ? `; its own ${formatTokens(node.own.inputTokens + node.own.outputTokens)}`
      : "";
  return (
    <span title={`${formatCount(spent.inputTokens)} in, ${formatCount(spent.outputTokens)} out${own}`}>
      {formatTokens(spent.inputTokens + spent.outputTokens)}
    </span>
  );
}

/** Cost, without the "$" in a column whose head says it. Unknown is a dash, never zero. */
export function RowCost({ spent, sign = "" }: { spent: Spent | null; sign?: "$" | "" }) {
  if (!spent || (spent.inputTokens + spent.outputTokens === 0 && spent.costNanoUsd === 0)) return null;
  if (spent.unpricedCalls > 0) {
    const known = spent.costNanoUsd > 0;
    const why = `${formatPlural(spent.unpricedCalls, "call")} without a known cost${known ? " not in it" : ""}`;
    return (
      <span title={why}>
        {known ? `${sign}${bare(spent.costNanoUsd)}+` : "—"}
        <span className="sr"> {why}</span>
      </span>
    );
  }
  return `${sign}${bare(spent.costNanoUsd)}`;
}

/** What the run had cost when a decision was taken; nothing when no cost was known by then. */
export function CostByThen({ decision, sign = "" }: { decision: DecisionRow; sign?: "$" | "" }) {
  if (decision.costSoFarNanoUsd === 0) return null;
  const cost = `${sign}${bare(decision.costSoFarNanoUsd)}`;
  return (
    <span className="t3" title="What the run had cost when this was decided">
      {cost}
    </span>
  );
}

const bare = (nanoUsd: number) => formatMoney(nanoUsd).replace("$", "");
