import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunSummary } from "@/server/runs/schema";

export const IMPORTED_REASON = "This run was imported to be looked at. It cannot go on from here.";

/** Where an imported run comes from, and that it is only to be looked at. Absent for one that was made here. */
export function RunImported({ run: { imported } }: { run: Pick<RunSummary, "imported"> }) {
  if (!imported) return null;
  return (
    <div className="run-hold">
      <Note tone="info">
        <b>Imported, read-only.</b> {imported.savedBy} saved it in the workspace “{imported.workspace}”{" "}
        <RelativeTime at={imported.savedAt} />; {imported.by ?? "somebody who left"} opened it here{" "}
        <RelativeTime at={imported.at} />. Secrets were taken out, and nothing of it counts as spent here.
      </Note>
    </div>
  );
}
