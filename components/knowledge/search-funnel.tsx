import { formatCount, formatDuration } from "@/components/ui/format";
import type { RetrievalSettings, SearchHit, SearchResult } from "@/server/knowledge/schema";

const DROPS: readonly { result: SearchHit["result"]; word: string }[] = [
  { result: "below-floor", word: "below the floor" },
  { result: "per-document", word: "over the limit of a document" },
  { result: "over-top", word: "over the top" },
];

/** From all that either side found to what is sent, with what each rule dropped. */
export function SearchFunnel({ result, settings }: { result: SearchResult; settings: RetrievalSettings }) {
  const count = (outcome: SearchHit["result"]) => result.hits.filter((hit) => hit.result === outcome).length;
  const sent = count("sent");
  const dropped = result.found - sent;
  const shown = result.hits.length - sent;
  return (
    <div className="funnel" role="status">
      <Stage count={result.found} word="found" />
      <i aria-hidden>›</i>
      {/* Of many dropped passages only the best are told of: counts by rule would be wrong. */}
      {shown === dropped ? (
        DROPS.filter(({ result: outcome }) => count(outcome) > 0).map(({ result: outcome, word }) => (
          <span key={outcome} className="funnel-drop">
            <Stage count={count(outcome)} word={word} />
            <i aria-hidden>›</i>
          </span>
        ))
      ) : (
        <span className="funnel-drop">
          <span>
            <b>{formatCount(dropped)}</b> dropped, the best {formatCount(shown)} of them listed
          </span>
          <i aria-hidden>›</i>
        </span>
      )}
      <span className="funnel-sent">
        <Stage count={sent} word="sent to the model" />
      </span>
      <span className="grow" />
      <span className="t3 hide-m">
        {[timeOf("vector", settings.vectorWeight, result), timeOf("BM25", settings.keywordWeight, result)].join(", ")}
      </span>
    </div>
  );
}

function timeOf(side: "vector" | "BM25", weight: number, result: SearchResult): string {
  if (weight === 0) return `${side} off`;
  if (side === "vector" && result.vectorProblem !== null) return "vector failed";
  return `${side} ${formatDuration(side === "vector" ? result.vectorMs : result.keywordMs)}`;
}

function Stage({ count, word }: { count: number; word: string }) {
  return (
    <span>
      <b>{formatCount(count)}</b> {word}
    </span>
  );
}
