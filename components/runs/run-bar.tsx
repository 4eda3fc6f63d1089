import { type Axis, GAP_PX } from "@/components/runs/run-axis";
import type { RunNode } from "@/components/runs/run-nodes";
import type { SegmentKind } from "@/components/runs/run-segments";
import { formatDuration } from "@/components/ui/format";
import { SourceBadge } from "@/components/ui/status";

const SEGMENT_WORDS: Record<SegmentKind, string> = {
  children: "Waiting for agents it started",
  queued: "Queued",
  waiting: "Waiting for a person",
  tool: "Tools",
  retrieval: "Search in knowledge",
  model: "Model",
  failed: "Failed",
};

/** When a row worked, on the run's axis; a decision is one instant. */
export function RunBar({ node, axis, nowMs }: { node: RunNode; axis: Axis; nowMs: number }) {
  if (node.item.type === "decision") {
    if (!axis.shows(node.startMs, node.startMs)) return null;
    const at = axis.at(node.startMs);
    // Past the middle the badge goes to the left, so that it never leaves the column.
    const side =
      axis.share(node.startMs) > 0.5 ? { right: `calc(100% - (${at}) + 8px)` } : { left: `calc(${at} + 10px)` };
    return (
      <>
        <span className="diamond" style={{ left: at }} />
        <span className="bar-note" style={side}>
          <SourceBadge source={node.item.decision.source} />
        </span>
      </>
    );
  }
  const size = node.item.type === "agent" ? " agent" : "";
  return node.segments.map((segment) => {
    const endMs = segment.endMs ?? nowMs;
    if (!axis.shows(segment.startMs, endMs)) return null;
    return (
      <span
        key={`${segment.kind} ${segment.startMs}`}
        className={`seg ${segment.kind}${size}`}
        style={{ left: axis.at(segment.startMs), width: axis.span(segment.startMs, endMs) }}
        title={`${SEGMENT_WORDS[segment.kind]}, ${formatDuration(endMs - segment.startMs)}`}
      />
    );
  });
}

/** The folded idle stretches, behind the bars. */
export function RunGaps({ axis }: { axis: Axis }) {
  return axis.gaps.map((gap) => (
    <span key={gap.startMs} className="gap" style={{ left: axis.at(gap.startMs), width: GAP_PX }} />
  ));
}
