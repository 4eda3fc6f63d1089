import { Meter } from "@/components/ui/meter";
import type { DocumentView } from "@/server/knowledge/schema";
import { progressWords } from "./knowledge-words";

/** What a document is doing, or why it failed. Nothing when there is nothing to say. */
export function DocumentProgress({ document }: { document: DocumentView }) {
  const { status, problem, isReplacing, progressDone, progressTotal } = document;
  const earlier = isReplacing ? "The earlier version is still searched." : "";
  if (status === "failed") {
    return (
      <span className="t2 fs12 problem">
        {problem ?? "It could not be indexed."} {earlier}
      </span>
    );
  }
  const words = progressWords(document);
  if (words === null) return <span className="t3 fs12">{earlier}</span>;
  const percent = Math.floor((progressDone / progressTotal) * 100);
  return (
    <span className="row">
      <span className="doc-meter">
        <Meter
          label={`${percent} %`}
          max={progressTotal}
          height={4}
          parts={[{ value: progressDone, color: "var(--st-running)" }]}
        />
      </span>
      <span className="t3 fs12 ell">{[words, earlier].filter(Boolean).join(". ")}</span>
    </span>
  );
}
