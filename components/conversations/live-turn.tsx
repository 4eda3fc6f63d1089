"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { CitedMarkdown } from "@/components/knowledge/cited-markdown";
import { RequestCard } from "@/components/requests/request-card";
import { RunAnnouncer } from "@/components/runs/run-announcer";
import { RunElapsed } from "@/components/runs/run-elapsed";
import { RunHold } from "@/components/runs/run-hold";
import { RunHoldButton } from "@/components/runs/run-hold-button";
import type { RunState } from "@/components/runs/run-state";
import { stillnessOf } from "@/components/runs/run-stillness";
import { RunStopButton } from "@/components/runs/run-stop-button";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
import { useControlRun } from "@/components/runs/use-control-run";
import { useLiveRun } from "@/components/runs/use-live-run";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Money } from "@/components/ui/money";
import { StatusBadge } from "@/components/ui/status";
import type { ConversationTurn } from "@/server/conversations/schema";
import { isHeld, isTerminal } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";
import { Question, TurnFacts } from "./conversation-turn";
import { doingNow, writtenByRoot } from "./live-words";

const MOST_SHOWN = 6;

type Props = { turn: ConversationTurn; onEnded: () => void };

/** The turn that is being answered: what happens now, what it asks, what is written. */
export function LiveTurn({ turn, onEnded }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.tree.queryOptions({ runId: turn.runId }, { select: unpackRunTree }));
  return (
    <article className="turn" aria-label={`Question: ${turn.input.slice(0, 80)}`}>
      <Question turn={turn} />
      {query.data ? (
        <Following tree={query.data} reread={() => void query.refetch()} onEnded={onEnded} />
      ) : query.error ? (
        <p className="t2">
          It cannot be followed now. {errorWords(query.error).sentence} The run itself goes on.{" "}
          <button type="button" className="linkbtn" onClick={() => void query.refetch()}>
            Try again
          </button>
        </p>
      ) : (
        <div className="turn-live" aria-busy />
      )}
    </article>
  );
}

/** Since when it stands still. */
function heldAt(state: RunState): string | null {
  const root = state.agents.find(({ parentId }) => parentId === null);
  const since = root ? stillnessOf(state)(root) : null;
  return since === null ? null : new Date(since).toISOString();
}

function Following({ tree, reread, onEnded }: { tree: RunTree; reread: () => void; onEnded: () => void }) {
  const state = useLiveRun(tree, reread);
  const { run } = state;
  const control = useControlRun(run);
  const ended = isTerminal(run.status);
  const tell = useEffectEvent(onEnded);
  useEffect(() => {
    if (ended) tell();
  }, [ended]);

  const doing = doingNow(state);
  const open = state.requests.filter((request) => request.status === "open");
  const written = writtenByRoot(state);
  return (
    <>
      <RunAnnouncer state={state} />
      <div className="turn-live">
        <p className="row">
          <StatusBadge status={run.status} reason={run.statusReason} />
          {run.status === "queued" && <span className="t3 fs12">A worker takes it up in a moment.</span>}
        </p>
        <ul className="doing fs12">
          {doing.slice(0, MOST_SHOWN).map(({ id, name, words }) => (
            <li key={id}>
              <span className="b">{name}</span> <span className="t2">{words}</span>
            </li>
          ))}
          {doing.length > MOST_SHOWN && <li className="t3">and {doing.length - MOST_SHOWN} more agents</li>}
        </ul>
        <RunHold run={run} control={control} />
        {open.map((request) => (
          <RequestCard key={request.id} request={request} isHeld={isHeld(run.status)} />
        ))}
        {run.answer !== null ? (
          <CitedMarkdown runId={run.id} text={run.answer} citations={run.citations} />
        ) : (
          written !== null && (
            <div className="turn-written">
              {written}
              {!isHeld(run.status) && <span className="caret" aria-hidden />}
            </div>
          )
        )}
      </div>
      <TurnFacts runId={run.id}>
        <span className="num">
          <RunElapsed run={{ ...run, heldAt: heldAt(state) }} />
        </span>
        <span className="num">
          <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} />
        </span>
        <span className="grow" />
        {isHeld(run.status) && <RunHoldButton run={run} control={control} />}
        {!ended && <RunStopButton runId={run.id} running={run.agents.running} />}
      </TurnFacts>
    </>
  );
}
