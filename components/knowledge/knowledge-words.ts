import { formatCount, formatPlural } from "@/components/ui/format";
import type { BaseSummary, DocumentView } from "@/server/knowledge/schema";

export const BUILT_IN = "built-in";

export const EMBEDDINGS_MEAN =
  "An embedding is a list of numbers for a passage: passages that are alike have numbers that are near.";

/** What turns passages into vectors, in words. */
export function embeddingWords(embeddingModel: string): string {
  return embeddingModel === BUILT_IN ? "Built-in, lexical" : embeddingModel;
}

/** The word for a document's state. */
export function documentWord({ status }: Pick<DocumentView, "status">): string {
  return { queued: "Queued", extracting: "Reading", indexing: "Indexing", ready: "Ready", failed: "Failed" }[status];
}

export function isBusy({ status }: Pick<DocumentView, "status">): boolean {
  return status === "queued" || status === "extracting" || status === "indexing";
}

/** How far indexing is, or null while nothing can be counted. */
export function progressWords({ status, progressDone, progressTotal }: DocumentView): string | null {
  if (status !== "indexing" || progressTotal === 0) return null;
  return `${formatCount(progressDone)} of ${formatPlural(progressTotal, "passage")}`;
}

/** How many documents of a base can be searched: those that are ready, of all if these are more. */
export function searchableWords({
  documents,
  busy,
  failed,
}: Pick<BaseSummary, "documents" | "busy" | "failed">): string {
  const ready = documents - busy - failed;
  if (ready === documents) return formatPlural(documents, "document");
  return `${formatCount(ready)} of ${formatPlural(documents, "document")} ready`;
}

/** "Research desk, Writer and 2 more". */
export function nameSome(names: readonly string[], most = 3): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}

export function usedByWords({ agents }: Pick<BaseSummary, "agents">): string {
  return agents.length === 0 ? "Used by no agent" : `Used by ${formatPlural(agents.length, "agent")}`;
}
