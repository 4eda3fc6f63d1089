import { formatCount, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { statusWord } from "@/components/ui/status-words";
import { isTerminal } from "@/server/engine/state";
import type { RunComparison } from "@/server/runs/compare/schema";

type Props = { comparison: RunComparison; rereading: boolean; onReread: () => void };

/** What one must know to read the rest: a run that goes on, and rows that were too many to send. */
export function CompareNotes({ comparison: { left, right, leftOut }, rereading, onReread }: Props) {
  const atWork = [
    { side: "A", ...left },
    { side: "B", ...right },
  ].filter(({ status }) => !isTerminal(status));
  return (
    <>
      {atWork.length > 0 && (
        <Note
          tone="warn"
          aside={
            <button type="button" className="linkbtn" onClick={onReread} disabled={rereading}>
              Compare again
            </button>
          }
        >
          {atWork.map(({ side, status, statusReason }) => (
            <span key={side} className="block">
              <span className="b">{side} has not ended</span>: {statusWord(status, statusReason).toLowerCase()}.
            </span>
          ))}
          What it has not come to yet is no difference.
        </Note>
      )}
      {leftOut.same + leftOut.different > 0 && (
        <Note tone="info">
          These runs are large: {formatPlural(leftOut.same, "row")} that {leftOut.same === 1 ? "is" : "are"} the same
          {leftOut.different > 0 && ` and ${formatCount(leftOut.different)} that differ`} are not listed below, only
          counted. The first differences are; the runs' own pages show everything.
        </Note>
      )}
    </>
  );
}
