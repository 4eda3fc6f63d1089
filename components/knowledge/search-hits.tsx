import Link from "next/link";
import { StatusBadge } from "@/components/ui/status";
import type { RetrievalSettings, SearchHit } from "@/server/knowledge/schema";
import { EntryKindBadge } from "./entry-kind";
import { documentHref } from "./knowledge-links";
import { isConverted, withoutMarks } from "./passage-marks";
import { SCORE_MEANS } from "./score-words";

type Props = { hits: readonly SearchHit[]; settings: RetrievalSettings };

/** Each passage with the scores of both sides, and what became of it. */
export function SearchHits({ hits, settings }: Props) {
  const most = {
    keyword: Math.max(...hits.map(({ keyword }) => keyword ?? 0)),
    fused: Math.max(...hits.map(({ fused }) => fused)),
  };
  let sent = 0;
  return (
    <table className="table edge hits">
      <thead>
        <tr>
          <th className="num">#</th>
          <th>Passage</th>
          <th title={SCORE_MEANS.vector}>Vector</th>
          <th title={SCORE_MEANS.bm25}>BM25</th>
          <th title={SCORE_MEANS.fused}>Fused</th>
          <th>Result</th>
        </tr>
      </thead>
      <tbody>
        {hits.map((hit, index) => {
          if (hit.result === "sent") sent += 1;
          return <HitRow key={hit.chunkId} hit={hit} index={index} sentAs={sent} most={most} settings={settings} />;
        })}
      </tbody>
    </table>
  );
}

type RowProps = {
  hit: SearchHit;
  index: number;
  /** Its place among what is sent; means nothing for a dropped one. */
  sentAs: number;
  most: { keyword: number; fused: number };
  settings: RetrievalSettings;
};

function HitRow({ hit, index, sentAs, most, settings }: RowProps) {
  const isSent = hit.result === "sent";
  return (
    <tr className={isSent ? undefined : "dropped"}>
      <td className="num t3">{index + 1}</td>
      <td className="hit">
        <p className="hit-text">{hit.entryKind || isConverted(hit.documentName) ? withoutMarks(hit.text) : hit.text}</p>
        <span className="row hit-where">
          {hit.entryKind && <EntryKindBadge kind={hit.entryKind} />}
          <Link
            className="t3 fs12 ell hit-place"
            href={documentHref(hit.baseId, hit.documentId, hit.position)}
            prefetch={false}
          >
            {placeOf(hit)}
          </Link>
        </span>
      </td>
      <td data-l="Vector">
        <Score
          value={hit.vector}
          most={1}
          digits={2}
          rank={hit.vectorRank}
          drops={hit.result === "below-floor"}
          isIdle={hit.vectorRank === null}
        />
      </td>
      <td data-l="BM25">
        <Score value={hit.keyword} most={most.keyword} digits={(hit.keyword ?? 0) < 1 ? 2 : 1} rank={hit.keywordRank} />
      </td>
      <td data-l="Fused">
        <Score value={hit.fused} most={most.fused} digits={4} rank={null} />
      </td>
      <td className="hit-result">
        <StatusBadge
          status={isSent ? "completed" : "aborted"}
          word={isSent ? `Sent as ${sentAs}` : dropWords(hit.result, settings)}
        />
      </td>
    </tr>
  );
}

/** The title of an entry is the first heading of its passages: it is told once. */
function placeOf({ documentName, page, heading }: SearchHit): string {
  const told = [documentName, page !== null && `p. ${page}`, heading !== documentName && heading];
  return told.filter(Boolean).join(" · ");
}

function dropWords(result: SearchHit["result"], settings: RetrievalSettings): string {
  if (result === "below-floor") return `Vector below ${settings.similarityFloor.toFixed(2)}`;
  if (result === "per-document") return `Over ${settings.perDocument} of its document`;
  return `Over top ${settings.topK}`;
}

type ScoreProps = {
  value: number | null;
  most: number;
  digits: number;
  rank: number | null;
  drops?: boolean;
  /** Below the floor: shown, and counted for nothing. */
  isIdle?: boolean;
};

/** A number over its bar. The score that dropped the passage is red. */
function Score({ value, most, digits, rank, drops, isIdle }: ScoreProps) {
  if (value === null) return <span className="t3 fs12">none</span>;
  const about = isIdle ? "Below the floor: it adds nothing to the rank" : rank === null ? undefined : `Rank ${rank}`;
  return (
    <span className={`score${drops ? " drop" : isIdle ? " idle" : ""}`} title={about}>
      <span>
        {value.toFixed(digits)}
        {isIdle && <span className="sr"> (below the floor, adds nothing)</span>}
      </span>
      <i aria-hidden>
        <b style={{ width: `${most > 0 ? Math.min(100, (Math.max(0, value) / most) * 100) : 0}%` }} />
      </i>
    </span>
  );
}
