import { Note } from "@/components/ui/note";
import type { DocumentView } from "@/server/knowledge/schema";
import { DocumentProgress } from "./document-progress";
import { isBusy } from "./knowledge-words";
import { RetryButton } from "./retry-button";

/** Why a document cannot be searched yet, or not at all. Nothing when all is well. */
export function DocumentState({ document }: { document: DocumentView }) {
  if (document.status === "failed") {
    return (
      <div className="doc-note">
        <Note tone="bad">
          <div className="row wrap">
            <span className="grow">
              <span className="b">It could not be indexed.</span> {document.problem}{" "}
              {!document.mayPass &&
                "Reading the same file again would end the same way: replace it by uploading one of the same name, or remove it."}{" "}
              {document.isReplacing && "The earlier version is still searched."}
            </span>
            {document.mayPass && <RetryButton document={document} />}
          </div>
        </Note>
      </div>
    );
  }
  if (!isBusy(document)) return null;
  return (
    <div className="doc-note" role="status">
      <Note tone="info">
        <div className="row wrap">
          <span>{WORDS[document.status]}</span>
          <DocumentProgress document={document} />
        </div>
      </Note>
    </div>
  );
}

const WORDS: Partial<Record<DocumentView["status"], string>> = {
  queued: "It waits for a free worker.",
  extracting: "Its text is being read.",
  indexing: "Its passages are being indexed. Agents find them when all are done.",
};
