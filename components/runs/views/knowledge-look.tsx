"use client";

import { IconCheck, IconMinus } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CitationDrawer } from "@/components/knowledge/citation-drawer";
import { EntryKindBadge } from "@/components/knowledge/entry-kind";
import { SCORE_MEANS } from "@/components/knowledge/score-words";
import { Loaded } from "@/components/runs/inspector/loaded";
import { textKey } from "@/components/runs/run-live-text";
import { AgentSelect } from "@/components/runs/views/agent-select";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useLookSearch } from "@/components/runs/views/use-look-search";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration, formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { Note } from "@/components/ui/note";
import { SearchField } from "@/components/ui/search-field";
import { StatusBadge } from "@/components/ui/status";
import { isTerminal } from "@/server/engine/state";
import type { Passage, Retrieval } from "@/server/runs/queries/inside/schema";

/** Each search in knowledge: what was looked for, what it brought with every score of that search, and what was cited. */
export function KnowledgeLook({ state, view, onOpen }: LookProps) {
  const trpc = useTRPC();
  const { run, agents } = state;
  const [mark, setMark] = useState<string | null>(null);
  const [agentRunId, setAgent] = useState<string | null>(null);
  const { search, field } = useLookSearch();
  const query = useInfiniteQuery({
    ...trpc.runInside.retrievals.infiniteQueryOptions(
      { runId: run.id, agentRunId, search },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
    ...rereadEvery(run.status),
  });
  useRereadAtEnd(run.status, query.refetch);
  return (
    <>
      <search className="filterbar look-bar">
        <SearchField
          aria-label="Search what was looked up"
          placeholder="Search"
          title="Queries and passages"
          {...field}
        />
        <AgentSelect agents={agents} label="Whose" none="Everybody" value={agentRunId} onChange={setAgent} />
      </search>
      <div className="look-body">
        <Loaded query={query} what="What was looked up">
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0) {
              return search || agentRunId ? (
                <EmptyState title="Nothing that was looked up matches" />
              ) : (
                <EmptyState title={isTerminal(run.status) ? "Nothing was looked up" : "Nothing was looked up yet"}>
                  Searches in knowledge bases and in the documentation appear here.
                </EmptyState>
              );
            }
            return (
              <>
                <p className="t3 fs12">{formatPlural(pages[0]?.total ?? 0, "search", "searches")}</p>
                {items.map((retrieval) => (
                  <RetrievalCard
                    key={textKey(retrieval.agentRunId, retrieval.position)}
                    retrieval={retrieval}
                    selected={view.selected}
                    onOpen={onOpen}
                    onMark={setMark}
                  />
                ))}
                <LoadMore query={query} />
              </>
            );
          }}
        </Loaded>
        <CitationDrawer runId={run.id} mark={mark} onClose={() => setMark(null)} />
      </div>
    </>
  );
}

type CardProps = {
  retrieval: Retrieval;
  selected: string | null;
  onOpen: (key: string) => void;
  onMark: (mark: string) => void;
};

function RetrievalCard({ retrieval, selected, onOpen, onMark }: CardProps) {
  const { agentName, tool, status, tookMs, query, reason, entryKind, passages, hasOwnScores, note, isUnreadable } =
    retrieval;
  const isFirstFound = !hasOwnScores && passages.some(({ scores }) => scores !== null);
  const key = textKey(retrieval.agentRunId, retrieval.position);
  return (
    <article
      className={`retrieval-card${selected === key ? " on" : ""}`}
      aria-label={`Search for ${query || "nothing"}`}
    >
      <header className="said-head">
        <button type="button" className="said-way" onClick={() => onOpen(key)} aria-pressed={selected === key}>
          <span className="b retrieval-query">“{query}”</span>
        </button>
        <CopyButton text={query} what="query" />
      </header>
      <p className="t2 fs12 row look-facts">
        <span>{agentName}</span>
        <span className="mono">{tool}</span>
        {entryKind && (
          <span className="row">
            only <EntryKindBadge kind={entryKind} />
          </span>
        )}
        <span className="num">{formatDuration(tookMs)}</span>
        {status !== "completed" && <StatusBadge status={status} />}
        <span>{formatPlural(passages.length, "passage")}</span>
      </p>
      {reason && <p className="t3 fs12">{reason}</p>}
      {note && <Note tone="info">{note}</Note>}
      {isUnreadable && (
        <Note tone="info">What it returned is no list of passages. It is in the details, as it was.</Note>
      )}
      {isFirstFound && (
        <Note tone="info">
          This search was made before each one kept its own scores. These are of when the run first found each passage.
        </Note>
      )}
      {passages.length > 0 && (
        <table className="table look-table">
          <thead>
            <tr>
              <th>Passage</th>
              <th className="num" title={SCORE_MEANS.vector}>
                Vector
              </th>
              <th className="num" title={SCORE_MEANS.bm25}>
                BM25
              </th>
              <th className="num" title={SCORE_MEANS.fused}>
                Fused
              </th>
              <th>Cited</th>
            </tr>
          </thead>
          <tbody>
            {passages.map((passage, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a passage may come twice, its place is its name
              <PassageRow key={at} passage={passage} onMark={onMark} />
            ))}
          </tbody>
        </table>
      )}
    </article>
  );
}

function PassageRow({ passage, onMark }: { passage: Passage; onMark: (mark: string) => void }) {
  const { mark, document, heading, page, text, baseName, isKept, scores } = passage;
  const place = [baseName, document, page !== null && `p. ${page}`, heading].filter(Boolean).join(" · ");
  return (
    <tr>
      <td data-m="full" className="passage-cell">
        <p className="passage-preview">{text}</p>
        <p className="t3 fs12 look-facts">
          {place && <span>{place}</span>}
          {mark !== null &&
            (isKept ? (
              <button type="button" className="linkbtn mono" onClick={() => onMark(mark)}>
                [{mark}]
              </button>
            ) : (
              <span className="mono">[{mark}]</span>
            ))}
        </p>
      </td>
      <Score word="Vector" value={scores?.vector ?? null} rank={scores?.vectorRank ?? null} digits={3} />
      <Score word="BM25" value={scores?.keyword ?? null} rank={scores?.keywordRank ?? null} digits={2} />
      <Score word="Fused" value={scores?.fused ?? null} rank={null} digits={4} />
      <td data-l="Cited">
        <Cited passage={passage} />
      </td>
    </tr>
  );
}

type ScoreProps = { word: string; value: number | null; rank: number | null; digits: number };

function Score({ word, value, rank, digits }: ScoreProps) {
  return (
    <td className="num" data-l={word}>
      {value === null ? <span className="t3">none</span> : value.toFixed(digits)}
      {rank !== null && <span className="t3 block fs11">rank {rank}</span>}
    </td>
  );
}

function Cited({ passage: { isInAnswer, citedBy } }: { passage: Passage }) {
  if (!isInAnswer && citedBy.length === 0) {
    return (
      <span className="t3 row">
        <IconMinus size={13} aria-hidden /> no
      </span>
    );
  }
  return (
    <span className="row" title={citedBy.length > 0 ? `In the result of ${citedBy.join(", ")}` : undefined}>
      <IconCheck size={13} aria-hidden color="var(--st-succeeded)" />
      {isInAnswer ? "in the answer" : `by ${citedBy.join(", ")}`}
    </span>
  );
}
