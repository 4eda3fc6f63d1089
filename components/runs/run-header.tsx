"use client";

import { Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconLink, IconRefresh } from "@tabler/icons-react";
import { useWhyNotAct } from "@/components/layout/use-me";
import type { RunState } from "@/components/runs/run-state";
import { RunStopButton } from "@/components/runs/run-stop-button";
import { useStartRun } from "@/components/runs/start-run-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { Duration } from "@/components/ui/duration";
import { formatPlural } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { StatusBadge } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";
import { TokensCount } from "@/components/ui/tokens-count";
import { isTerminal } from "@/server/engine/state";

/** Title, state, where it comes from; time, tokens and cost; what one can do. */
export function RunHeader({ run, onShowWaiting }: { run: RunState["run"]; onShowWaiting: () => void }) {
  const ended = isTerminal(run.status);
  return (
    <header className="run-head">
      <div className="grow">
        <h1 className="run-title" title={run.input}>
          {run.title}
        </h1>
        <div className="run-meta">
          <RunPill run={run} onShowWaiting={onShowWaiting} />
          <span className="ell t2">
            {run.team.name} v{run.team.version}
          </span>
          <span className="run-id hide-m">
            <span className="mono t3" title={run.id}>
              {run.id.slice(0, 8)}
            </span>
            <CopyButton text={run.id} what="run id" />
          </span>
        </div>
      </div>
      <dl className="run-stats">
        <div className="stat">
          <dt>Elapsed</dt>
          <dd>
            <Duration from={run.createdAt} to={run.finishedAt} />
          </dd>
        </div>
        <div className="stat">
          <dt>Tokens</dt>
          <dd>
            {run.inputTokens + run.outputTokens === 0 ? (
              "0"
            ) : (
              <TokensCount input={run.inputTokens} output={run.outputTokens} />
            )}
          </dd>
        </div>
        <div className="stat stat-cost">
          <dt>Cost</dt>
          <dd>
            <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} />
            {run.unpricedCalls > 0 && <small> {formatPlural(run.unpricedCalls, "call")} without a known price</small>}
          </dd>
        </div>
      </dl>
      <div className="page-actions">
        {!ended && <RunStopButton runId={run.id} running={run.agents.running} />}
        <RunAgainButton run={run} />
        <CopyLinkButton />
      </div>
    </header>
  );
}

/** "Running, 1 waiting for you": a press leads to what waits. */
function RunPill({ run, onShowWaiting }: { run: RunState["run"]; onShowWaiting: () => void }) {
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

function RunAgainButton({ run }: { run: RunState["run"] }) {
  const startRun = useStartRun();
  const whyNot = useWhyNotAct();
  return (
    <Tooltip label={whyNot} disabled={!whyNot}>
      <Button
        leftSection={<IconRefresh size={15} aria-hidden />}
        onClick={() => !whyNot && startRun.open({ teamId: run.team.id, input: run.input })}
        data-disabled={whyNot ? true : undefined}
        aria-disabled={whyNot ? true : undefined}
      >
        Run again…
        {whyNot && <span className="sr">. {whyNot}</span>}
      </Button>
    </Tooltip>
  );
}

/** The link holds the selected row, the tab and the filter. */
function CopyLinkButton() {
  const clipboard = useClipboard({ timeout: 1600 });
  const Glyph = clipboard.copied ? IconCheck : IconLink;
  const label = clipboard.copied ? "Copied" : "Copy link to this view";
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className="icon-btn"
        aria-label="Copy link to this view"
        onClick={() => clipboard.copy(window.location.href)}
      >
        <Glyph size={16} aria-hidden />
        <span className="sr" role="status">
          {clipboard.copied ? label : ""}
        </span>
      </button>
    </Tooltip>
  );
}
