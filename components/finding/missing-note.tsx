"use client";

import { Note } from "@/components/ui/note";
import { missingWords } from "./finding-words";
import { useFinding } from "./use-finding";

/** Above a list by likeness or meaning: what it cannot show yet, and why that does not get less. */
export function MissingNote({ noun }: { noun: "run" | "decision" }) {
  const finding = useFinding();
  if (!finding?.prepared) return null;
  const counted = noun === "run" ? finding.prepared.runs : finding.prepared.decisions;
  const missing = missingWords(counted, { noun, byMeaning: finding.byMeaning });
  if (missing === null) return null;
  return (
    <div className="list-note">
      <Note tone={finding.problem === null ? "info" : "warn"}>
        {missing}{" "}
        {finding.problem === null
          ? counted.ready + counted.refused < counted.total && "They are being prepared, the newest first."
          : `Preparing them stands still: ${finding.problem}`}
      </Note>
    </div>
  );
}
