import { IconZoomIn, IconZoomOut, IconZoomReset } from "@tabler/icons-react";
import type { Axis } from "@/components/runs/run-axis";
import { formatCount, formatDuration } from "@/components/ui/format";

const LEGEND = ["queued", "model", "tool", "retrieval", "waiting", "children"] as const;

type Props = {
  shown: number;
  total: number;
  axis: Axis;
  /** Only a part of the time is shown. */
  isZoomed: boolean;
  /** `times`: how much more of the time is shown than now; null: all of it. */
  onZoom: (times: number | null) => void;
};

/** How many rows there are, which part of the time is shown, and how to read the bars. */
export function RunFoot({ shown, total, axis, isZoomed, onZoom }: Props) {
  return (
    <div className="tree-foot">
      <span className="num">
        {formatCount(shown)} of {formatCount(total)} rows
      </span>
      <span className="row tree-zoom">
        <button
          type="button"
          className="icon-btn"
          aria-label="Zoom the time in"
          title="Zoom in (+)"
          onClick={() => onZoom(0.5)}
        >
          <IconZoomIn size={14} aria-hidden />
        </button>
        {isZoomed && (
          <>
            <button
              type="button"
              className="icon-btn"
              aria-label="Zoom the time out"
              title="Zoom out (−)"
              onClick={() => onZoom(2)}
            >
              <IconZoomOut size={14} aria-hidden />
            </button>
            <button type="button" className="linkbtn tree-reset" onClick={() => onZoom(null)}>
              <IconZoomReset size={14} aria-hidden /> Reset zoom
            </button>
            <span className="num" role="status">
              {formatDuration(axis.startMs - axis.originMs)} to {formatDuration(axis.endMs - axis.originMs)}
            </span>
          </>
        )}
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
