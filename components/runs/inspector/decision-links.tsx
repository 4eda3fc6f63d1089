import { IconSquareRotated } from "@tabler/icons-react";
import { useState } from "react";
import { decisionTitle } from "@/components/runs/run-labels";
import { SourceBadge } from "@/components/ui/status";
import type { DecisionRow } from "@/server/engine/events";

const SHOWN_AT_FIRST = 20;

export function DecisionLinks({
  decisions,
  onSelect,
}: {
  decisions: readonly DecisionRow[];
  onSelect: (id: string) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? decisions : decisions.slice(0, SHOWN_AT_FIRST);
  return (
    <div className="opts">
      {shown.map((decision) => (
        <button type="button" key={decision.id} className="opt opt-link" onClick={() => onSelect(decision.id)}>
          <IconSquareRotated size={15} stroke={1.75} color="var(--k-decision)" aria-hidden />
          <span className="ell">{decisionTitle(decision)}</span>
          <SourceBadge source={decision.source} />
        </button>
      ))}
      {shown.length < decisions.length && (
        <button type="button" className="opt opt-link linkbtn" onClick={() => setAll(true)}>
          <span />
          <span>Show all {decisions.length}</span>
        </button>
      )}
    </div>
  );
}
