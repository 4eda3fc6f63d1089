"use client";

import Link from "next/link";
import { RunAbout } from "@/components/runs/run-about";
import { RunActions } from "@/components/runs/run-actions";
import { RunForks } from "@/components/runs/run-forks";
import type { RunState } from "@/components/runs/run-state";
import { RunStats } from "@/components/runs/run-stats";
import { RunTags } from "@/components/runs/run-tags";
import { targetHref } from "@/components/runs/run-targets";
import type { RunControl } from "@/components/runs/use-control-run";
import { CopyButton } from "@/components/ui/copy-button";
import { StatusBadge } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";
import type { TrackedEntity } from "@/server/engine/run-context";
import { isTerminal } from "@/server/engine/state";

type Props = {
  run: RunState["run"];
  /** Of its root. */
  about: readonly TrackedEntity[];
  control: RunControl;
  /** Since when it stands still; null while it moves or has ended. */
  stillMs: number | null;
  onShowWaiting: () => void;
};

/** Title, state, where it comes from; time, tokens and cost; what one can do. */
export function RunHeader({ run, about, control, stillMs, onShowWaiting }: Props) {
  return (
    <header className="run-head">
      <div className="grow">
        <h1 className="run-title" title={run.input}>
          {run.title}
        </h1>
        <div className="run-meta">
          <RunPill run={run} onShowWaiting={onShowWaiting} />
          {run.imported ? (
            <span className="ell t2">
              {run.target.name} v{run.target.version}
            </span>
          ) : (
            <Link href={targetHref(run.target)} className="ell t2" prefetch={false}>
              {run.target.name} v{run.target.version}
            </Link>
          )}
          {run.conversationId && (
            <Link href={`/conversations/${run.conversationId}`} className="t2" prefetch={false}>
              Conversation
            </Link>
          )}
          <RunForks run={run} />
          <RunAbout entities={about} />
          <RunTags run={run} />
          <span className="run-id hide-m">
            <span className="mono t3" title={run.id}>
              {run.id.slice(0, 8)}
            </span>
            <CopyButton text={run.id} what="run id" />
          </span>
        </div>
      </div>
      <RunStats run={run} stillMs={stillMs} />
      <RunActions run={run} control={control} />
    </header>
  );
}

/** "Running, 1 waiting for you": a press leads to what waits. */
function RunPill({ run, onShowWaiting }: Pick<Props, "run" | "onShowWaiting">) {
  if (run.openRequests === 0 || isTerminal(run.status))
    return <StatusBadge pill status={run.status} reason={run.statusReason} />;
  const waiting = `${run.openRequests} waiting for you`;
  const only = run.openRequests === 1 ? "Waiting for you" : waiting;
  const word = run.status === "waiting" ? only : `${statusWord(run.status)}, ${waiting}`;
  return (
    <button type="button" className="pill-btn" onClick={onShowWaiting} title="Show what waits">
      <StatusBadge pill status={run.status} word={word} />
    </button>
  );
}
