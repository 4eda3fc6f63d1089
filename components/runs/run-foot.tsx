import type { Axis } from "@/components/runs/run-axis";
import { formatCount, formatDuration } from "@/components/ui/format";

const LEGEND = ["queued", "model", "tool", "retrieval", "waiting", "children"] as const;

/** How many rows there are, and how to read the bars. */
export function RunFoot({ shown, total, axis }: { shown: number; total: number; axis: Axis }) {
  return (
    <div className="tree-foot">
      <span className="num">
        {formatCount(shown)} of {formatCount(total)} rows
      </span>
      <span className="grow" />
      <span className="legend">
        {LEGEND.map((kind) => (
          <span key={kind}>
            <i className={`seg ${kind}`} />
            {kind === "children" ? "waiting for agents" : kind}
          </span>
        ))}
        {axis.gaps.length > 0 && (
          <span>
            <i className="gapmark" />
            {formatDuration(axis.idleMs)} idle, folded
          </span>
        )}
      </span>
    </div>
  );
}
