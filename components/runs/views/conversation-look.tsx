"use client";

import {
  type Icon,
  IconArrowForwardUp,
  IconArrowRight,
  IconArrowUp,
  IconChecklist,
  IconCornerDownRight,
  IconCornerUpLeft,
  IconMail,
  IconMessage,
  IconQuestionMark,
  IconUser,
} from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { AgentSelect } from "@/components/runs/views/agent-select";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useLookSearch } from "@/components/runs/views/use-look-search";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration, formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { SearchField } from "@/components/ui/search-field";
import type { Said } from "@/server/runs/queries/inside/schema";

const KINDS: Record<Said["kind"], { word: string; icon: Icon }> = {
  task: { word: "Task", icon: IconChecklist },
  result: { word: "Result", icon: IconCornerUpLeft },
  mail: { word: "Letter", icon: IconMail },
  question: { word: "Question", icon: IconQuestionMark },
  escalation: { word: "Asked above", icon: IconArrowUp },
  passed_on: { word: "Passed on to people", icon: IconArrowForwardUp },
  answer: { word: "Answer", icon: IconCornerDownRight },
  steer: { word: "Said meanwhile", icon: IconMessage },
  handoff: { word: "Handed over", icon: IconArrowForwardUp },
};

/** What agents and people said to each other, in order, across the tree. A press leads to the row it belongs to. */
export function ConversationLook({ state, view, onOpen }: LookProps) {
  const trpc = useTRPC();
  const { run, agents } = state;
  const [agentRunId, setAgent] = useState<string | null>(null);
  const { search, field } = useLookSearch();
  const query = useInfiniteQuery({
    ...trpc.runInside.said.infiniteQueryOptions(
      { runId: run.id, agentRunId, search },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
    ...rereadEvery(run.status),
  });
  useRereadAtEnd(run.status, query.refetch);
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const startMs = Date.parse(run.createdAt);
  return (
    <>
      <search className="filterbar look-bar">
        <SearchField aria-label="Search what was said" placeholder="Search" {...field} />
        <AgentSelect agents={agents} label="Whose" none="Everybody" value={agentRunId} onChange={setAgent} />
      </search>
      <div className="look-body">
        <Loaded query={query} what="The conversation">
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0) {
              return (
                <EmptyState title={search || agentRunId ? "Nothing that was said matches" : "Nothing was said yet"} />
              );
            }
            return (
              <>
                <p className="t3 fs12">{formatPlural(pages[0]?.total ?? 0, "entry", "entries")}</p>
                <ol className="said-list">
                  {items.map((said) => (
                    <SaidEntry
                      key={`${said.kind} ${said.key} ${said.at} ${said.toId}`}
                      said={said}
                      names={names}
                      afterMs={Date.parse(said.at) - startMs}
                      isSelected={view.selected === said.key}
                      onOpen={onOpen}
                    />
                  ))}
                </ol>
                <LoadMore query={query} />
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

type EntryProps = {
  said: Said;
  names: ReadonlyMap<string, string>;
  afterMs: number;
  isSelected: boolean;
  onOpen: (key: string) => void;
};

function SaidEntry({ said, names, afterMs, isSelected, onOpen }: EntryProps) {
  const { word, icon: Glyph } = KINDS[said.kind];
  return (
    <li className={`said ${said.kind}${isSelected ? " on" : ""}`}>
      <div className="said-head">
        <button type="button" className="said-way" onClick={() => onOpen(said.key)} aria-pressed={isSelected}>
          <Glyph size={15} stroke={1.75} aria-hidden />
          <span className="t2">{word}</span>
          <Speaker
            id={said.fromId}
            by={said.kind === "answer" || said.fromId === null ? said.by : null}
            names={names}
          />
          <IconArrowRight size={13} className="t3" role="img" aria-label="to" />
          <Speaker id={said.toId} by={said.fromId === null ? null : said.by} names={names} />
        </button>
        <span className="row part-tools">
          <span className="t3 fs12 num">{formatDuration(Math.max(0, afterMs))}</span>
          <CopyButton text={said.text} what={word.toLowerCase()} />
        </span>
      </div>
      <p className="prewrap said-text">
        {said.text || <span className="t3">Nothing</span>}
        {said.isCut && "…"}
      </p>
      {said.isCut && (
        <button type="button" className="linkbtn fs12" onClick={() => onOpen(said.key)}>
          The whole text is in the details
        </button>
      )}
    </li>
  );
}

/** An agent by name, or a person. */
function Speaker({ id, by, names }: { id: string | null; by: string | null; names: ReadonlyMap<string, string> }) {
  if (id !== null) return <span className="b ell">{names.get(id) ?? "An agent"}</span>;
  return (
    <span className="said-person ell">
      <IconUser size={13} aria-hidden /> {by ?? "People"}
    </span>
  );
}
