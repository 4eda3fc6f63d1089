"use client";

import "./citation.css";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CitationView } from "@/server/knowledge/schema";
import { documentHref } from "./knowledge-links";
import { PassageText } from "./passage-text";
import { SCORE_MEANS } from "./score-words";

type Props = {
  runId: string;
  mark: string;
  /** A link out of the drawer was followed. */
  onLeave: () => void;
};

/** The passage as the agent was shown it, with every score that first brought it there. */
export function CitationPassage({ runId, mark, onLeave }: Props) {
  const trpc = useTRPC();
  const { data: citation } = useSuspenseQuery(trpc.knowledge.citation.queryOptions({ runId, mark }));
  const { scores } = citation;
  return (
    <article className="passage">
      <header className="col passage-head">
        <h3>{citation.documentName}</h3>
        <p className="t2 fs12">
          {[placeOf(citation), citation.heading].filter(Boolean).join(" · ") || <span className="mono">{mark}</span>}
        </p>
      </header>
      <figure className="passage-text">
        <blockquote>
          <PassageText text={citation.text} documentName={citation.documentName} />
        </blockquote>
        <CopyButton text={`${citation.text}\n\n[${citation.mark}]`} what="passage with its mark" />
      </figure>
      <DocumentLink citation={citation} onLeave={onLeave} />
      <section>
        <h4 className="section-label">How this run first found it</h4>
        <dl>
          <Fact
            word="Vector"
            means={SCORE_MEANS.vector}
            value={scores.vector === null ? "not found by it" : scores.vector.toFixed(3)}
            rank={scores.vectorRank}
          />
          <Fact
            word="BM25"
            means={SCORE_MEANS.bm25}
            value={scores.keyword === null ? "not found by it" : scores.keyword.toFixed(2)}
            rank={scores.keywordRank}
          />
          <Fact word="Fused" means={SCORE_MEANS.fused} value={scores.fused.toFixed(4)} rank={null} />
          <div className="kv">
            <dt>First shown to an agent</dt>
            <dd>
              <RelativeTime at={citation.at} />
            </dd>
          </div>
          <div className="kv">
            <dt>Mark</dt>
            <dd className="mono">[{citation.mark}]</dd>
          </div>
        </dl>
      </section>
    </article>
  );
}

type FactProps = { word: string; means: string; value: string; rank: number | null };

function Fact({ word, means, value, rank }: FactProps) {
  return (
    <div className="kv">
      <dt title={means}>{word}</dt>
      <dd>
        {value}
        {rank !== null && <span className="t3"> · rank {rank}</span>}
      </dd>
    </div>
  );
}

/** The way into the document as it is now, or why there is none. */
function DocumentLink({ citation, onLeave }: { citation: CitationView; onLeave: () => void }) {
  const { document } = citation;
  if (!document) {
    return (
      <Note tone="info">The document has been removed since. The passage is kept here as the agent was shown it.</Note>
    );
  }
  if (document.conversationId) {
    return (
      <Link className="linkbtn" href={`/conversations/${document.conversationId}`} onClick={onLeave}>
        Open the conversation it is attached to
      </Link>
    );
  }
  return (
    <div className="col">
      {document.position === null && (
        <Note tone="warn">
          The document has changed since: this passage is no longer in it word for word. It is kept here as the agent
          was shown it.
        </Note>
      )}
      <Link
        className="linkbtn"
        href={documentHref(document.baseId, document.documentId, document.position)}
        onClick={onLeave}
      >
        Open in the document
      </Link>
      <span className="t3 fs12">In the base {document.baseName}</span>
    </div>
  );
}

function placeOf({ page }: CitationView): string {
  return page === null ? "" : `Page ${page}`;
}
