"use client";

import "./run-hold.css";
import { EverythingPaused } from "@/components/runs/everything-paused";
import { holdWords } from "@/components/runs/hold-words";
import type { RunControl } from "@/components/runs/use-control-run";
import { Note } from "@/components/ui/note";
import type { RunSummary } from "@/server/runs/schema";

type Props = { run: Pick<RunSummary, "status" | "statusReason">; control: RunControl };

/** Why a run stands still and what Resume does; what the server said to the last press. Absent while it moves. */
export function RunHold({ run, control }: Props) {
  const words = holdWords({ status: run.status, reason: run.statusReason });
  if (words === null && control.refusal === null) return null;
  return (
    <div className="run-hold">
      {control.refusal && (
        <Note tone="bad" role="alert">
          {control.refusal}
        </Note>
      )}
      {words !== null && (
        <>
          <Note tone="held">{words}</Note>
          <EverythingPaused />
        </>
      )}
    </div>
  );
}
