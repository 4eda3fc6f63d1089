import { StatusBadge } from "@/components/ui/status";
import type { RunStatus } from "@/server/engine/state";
import type { DocumentStatus, DocumentView } from "@/server/knowledge/schema";
import { documentWord } from "./knowledge-words";

/** The look of a run in the like state: the eye learns one set of icons and colours. */
const LOOK: Record<DocumentStatus, RunStatus> = {
  queued: "queued",
  extracting: "running",
  indexing: "running",
  ready: "completed",
  failed: "failed",
};

export function DocumentStatusBadge({ document, pill }: { document: Pick<DocumentView, "status">; pill?: boolean }) {
  return <StatusBadge status={LOOK[document.status]} word={documentWord(document)} pill={pill} />;
}
