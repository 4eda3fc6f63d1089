import { formatBytes, formatPlural } from "@/components/ui/format";
import { PageHead } from "@/components/ui/page-head";
import type { BaseDetail } from "@/server/knowledge/schema";
import { EMBEDDINGS_MEAN, embeddingWords, usedByWords } from "./knowledge-words";
import { UploadButton } from "./upload-area";
import { WriteEntryButton } from "./write-entry-button";

/** The base's name, a line of facts, and the ways to add to it. */
export function BaseHead({ base, onWritten }: { base: BaseDetail; onWritten: () => void }) {
  return (
    <PageHead
      title={base.name}
      meta={
        <>
          <span>{formatPlural(base.documents, "document")}</span>
          <span>{formatPlural(base.chunks, "passage")}</span>
          <span>{formatBytes(base.sizeBytes)}</span>
          <span title={EMBEDDINGS_MEAN}>Embeddings: {embeddingWords(base.embeddingModel)}</span>
          <span title={base.agents.map(({ name }) => name).join(", ") || undefined}>{usedByWords(base)}</span>
          {base.description && <span className="t3 base-about">{base.description}</span>}
        </>
      }
      actions={
        <>
          <WriteEntryButton baseId={base.id} onSaved={onWritten} />
          <UploadButton />
        </>
      }
    />
  );
}
