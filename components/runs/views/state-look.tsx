"use client";

import { Switch } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { decisionKey } from "@/components/runs/run-nodes";
import { AgentSelect } from "@/components/runs/views/agent-select";
import type { LookProps } from "@/components/runs/views/look-panel";
import { pickedAgent } from "@/components/runs/views/picked-agent";
import { diffStates, type FactChange, momentWords } from "@/components/runs/views/state-diff";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatClock, formatCount, formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { LongSelect } from "@/components/ui/long-select";
import type { Moment, Snapshot } from "@/server/runs/queries/inside/schema";

/** How an agent stood at two moments, and what is otherwise: before and after a decision, or any two. */
export function StateLook({ state, view }: LookProps) {
  const { run, agents } = state;
  const [chosen, setAgent] = useState(() => pickedAgent(view));
  const agentRunId = chosen ?? agents.find(({ parentId }) => parentId === null)?.id ?? null;
  const trpc = useTRPC();
  const query = useInfiniteQuery({
    ...trpc.runInside.moments.infiniteQueryOptions(
      { runId: run.id, agentRunId: agentRunId ?? "" },
      { getNextPageParam: (page) => page.nextCursor, enabled: agentRunId !== null },
    ),
    ...rereadEvery(run.status),
  });
  useRereadAtEnd(run.status, query.refetch);
  // All of them: what came of a decision is told by the next one, and any may be the one that is looked for.
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (agentRunId === null) {
    return <EmptyState title="No agents yet">The first one appears here when a worker takes the run up.</EmptyState>;
  }
  return (
    <>
      <div className="filterbar look-bar">
        <AgentSelect agents={agents} label="Agent run" value={agentRunId} onChange={setAgent} />
      </div>
      <div className="look-body">
        <Loaded query={query} what="Decisions">
          {({ pages }) => {
            const moments = pages.flatMap(({ items }) => items);
            if (hasNextPage) {
              return (
                <>
                  <p className="t3 fs12" role="status">
                    {formatCount(moments.length)} of {formatPlural(pages[0]?.total ?? 0, "decision")} are loaded.
                  </p>
                  {isFetchNextPageError && <LoadMore query={query} />}
                </>
              );
            }
            return (
              <Moments
                key={agentRunId}
                runId={run.id}
                agentRunId={agentRunId}
                moments={moments}
                firstSeq={pages[0]?.firstSeq ?? 0}
                lastSeq={pages[0]?.lastSeq ?? 0}
                selected={view.selected}
                onDecision={(id) => view.select(decisionKey(id), { look: "steps", tab: "decision" })}
              />
            );
          }}
        </Loaded>
      </div>
    </>
  );
}

type MomentsProps = {
  runId: string;
  agentRunId: string;
  moments: readonly Moment[];
  firstSeq: number;
  lastSeq: number;
  selected: string | null;
  onDecision: (id: string) => void;
};

/** "start", "end", or a decision's id: just before it. What is just before the next one is what came of it. */
const [START, END] = ["start", "end"];

function Moments({ runId, agentRunId, moments, firstSeq, lastSeq, selected, onDecision }: MomentsProps) {
  const after = (id: string) =>
    moments[moments.findIndex(({ decisionId }) => decisionId === id) + 1]?.decisionId ?? END;
  const picked = moments.find(({ decisionId }) => decisionKey(decisionId) === selected);
  const [pair, setPair] = useState(() =>
    picked
      ? { from: picked.decisionId, to: after(picked.decisionId) }
      : { from: moments[0]?.decisionId ?? START, to: moments[0] ? after(moments[0].decisionId) : END },
  );
  const [isAll, setAll] = useState(false);
  const seqOf = (at: string) => {
    if (at === START) return firstSeq;
    const moment = moments.find(({ decisionId }) => decisionId === at);
    return at === END || !moment ? lastSeq : moment.seq - 1;
  };
  const data = [
    { value: START, label: "When it was started" },
    ...moments.map((moment, at) => ({
      value: moment.decisionId,
      label: `Before ${at + 1}. ${momentWords(moment)}, ${formatClock(new Date(moment.at))}`,
    })),
    { value: END, label: "As it stands" },
  ];
  const at = moments.findIndex(({ decisionId }) => decisionId === pair.from);
  const isOneDecision = at >= 0 && pair.to === after(pair.from);
  const showDecision = (moment: Moment | undefined) =>
    moment && setPair({ from: moment.decisionId, to: after(moment.decisionId) });
  return (
    <>
      <div className="moments">
        <LongSelect
          label="From"
          data={data}
          value={pair.from}
          allowDeselect={false}
          searchable
          onChange={(from) => from && setPair({ ...pair, from })}
        />
        <IconArrowRight size={16} className="t3 moments-arrow" aria-hidden />
        <LongSelect
          label="To"
          data={data}
          value={pair.to}
          allowDeselect={false}
          searchable
          onChange={(to) => to && setPair({ ...pair, to })}
        />
      </div>
      <div className="row look-facts">
        <button type="button" className="linkbtn" disabled={at <= 0} onClick={() => showDecision(moments[at - 1])}>
          Decision before
        </button>
        <button
          type="button"
          className="linkbtn"
          disabled={moments.length === 0 || at >= moments.length - 1}
          onClick={() => showDecision(moments[at + 1])}
        >
          Decision after
        </button>
        {at >= 0 && (
          <button type="button" className="linkbtn" onClick={() => onDecision(moments[at]?.decisionId ?? "")}>
            Open the decision
          </button>
        )}
        <span className="t2">
          {isOneDecision
            ? `What came of decision ${at + 1} of ${moments.length}: ${momentWords(moments[at] as Moment)}`
            : `${formatPlural(moments.length, "decision")} of this agent run`}
        </span>
      </div>
      <Switch
        label="Also what stayed the same"
        checked={isAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      <StatePair runId={runId} agentRunId={agentRunId} seqs={[seqOf(pair.from), seqOf(pair.to)]} isAll={isAll} />
    </>
  );
}

type PairProps = { runId: string; agentRunId: string; seqs: readonly [number, number]; isAll: boolean };

function StatePair({ runId, agentRunId, seqs, isAll }: PairProps) {
  const before = useSnapshot({ runId, agentRunId, seq: seqs[0] });
  const after = useSnapshot({ runId, agentRunId, seq: seqs[1] });
  return (
    <Loaded query={before} what="The state before">
      {(from) => (
        <Loaded query={after} what="The state after">
          {(to) => <StateTable before={from} after={to} isAll={isAll} />}
        </Loaded>
      )}
    </Loaded>
  );
}

/** A state of the past never changes. */
function useSnapshot(place: { runId: string; agentRunId: string; seq: number }) {
  const trpc = useTRPC();
  return useQuery({
    ...trpc.runInside.snapshot.queryOptions(place, { staleTime: Number.POSITIVE_INFINITY }),
    placeholderData: keepPreviousData,
  });
}

const KIND_WORDS: Record<FactChange["kind"], string> = { same: "Same", new: "New", gone: "Gone", changed: "Changed" };

function StateTable({ before, after, isAll }: { before: Snapshot; after: Snapshot; isAll: boolean }) {
  const rows = diffStates(before, after).filter(({ kind }) => isAll || kind !== "same");
  if (rows.length === 0) return <EmptyState title="Nothing is otherwise between the two" />;
  return (
    <table className="table look-table state-table">
      <thead>
        <tr>
          <th>What</th>
          <th>From</th>
          <th>To</th>
          <th>Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, section, name, before: was, after: is, kind }, at) => (
          <tr key={key} className={kind} data-first={rows[at - 1]?.section !== section || undefined}>
            <td data-m="full">
              {rows[at - 1]?.section !== section && <span className="t3 fs11 block">{section}</span>}
              <span className="state-text">{name}</span>
            </td>
            <td data-l="From">
              <span className="state-text">{was ?? <span className="t3">nothing</span>}</span>
            </td>
            <td data-l="To">
              <span className="state-text">{is ?? <span className="t3">nothing</span>}</span>
            </td>
            <td data-l="Change">
              <span className={`tag change-${kind}`}>{KIND_WORDS[kind]}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
