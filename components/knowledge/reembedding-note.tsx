import { formatCount } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import { StatusBadge } from "@/components/ui/status";
import type { BaseDetail } from "@/server/knowledge/schema";
import { embeddingWords } from "./knowledge-words";

/** A change of the embedding model under way: how far it is, and what answers meanwhile. */
export function ReembeddingNote({ base }: { base: Pick<BaseDetail, "reembedding" | "embeddingModel"> }) {
  const change = base.reembedding;
  if (!change) return null;
  return (
    <div className="reembedding" role="status">
      <StatusBadge status="running" word={`Changing to ${embeddingWords(change.embeddingModel)}`} />
      <span className="doc-meter">
        <Meter
          label={`${formatCount(change.done)} of ${formatCount(change.total)} passages`}
          max={Math.max(1, change.total)}
          height={4}
          parts={[{ value: change.done, color: "var(--st-running)" }]}
        />
      </span>
      <span className="t2 fs12">
        {formatCount(change.done)} of {formatCount(change.total)} passages. Until all are done{" "}
        {embeddingWords(base.embeddingModel)} answers.
      </span>
    </div>
  );
}
