"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunElapsed } from "@/components/runs/run-elapsed";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { formatCount, formatPlural } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import { reasonSentence } from "@/components/ui/status-words";
import { isHeld } from "@/server/engine/state";
import type { RunSummary } from "@/server/runs/schema";
import { RunName } from "./run-name";
import { RunPanel } from "./run-panel";

/** Runs that have not ended, newest first, with what they are busy with. */
export function RunningNow({ runs }: { runs: readonly RunSummary[] }) {
  const trpc = useTRPC();
  const { data: counts } = useSuspenseQuery(trpc.runs.summary.queryOptions());
  const { rows, holdProps } = useHeldRows("active", runs);
  const { active, activeArchived } = counts;
  const archived = activeArchived > 0 && (
    <Link href="/runs?status=active&archived=1">{formatCount(activeArchived)} archived</Link>
  );
  return (
    <RunPanel
      title="Running now"
      count={active}
      isEmpty={rows.length === 0}
      empty={activeArchived > 0 ? "Every active run is archived." : "No run is active."}
      actions={
        <span className="row">
          {archived}
          <Link href="/runs?status=active">All active runs</Link>
        </span>
      }
    >
      <table className="table cards running" {...holdProps}>
        <thead>
          <tr>
            <th>Run</th>
            <th>State</th>
            <th>Doing now</th>
            <th className="num">Agents</th>
            <th className="num">Elapsed</th>
            <th className="num">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((run) => (
            <RunningRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </RunPanel>
  );
}

function RunningRow({ run }: { run: RunSummary }) {
  const doing = doingWords(run);
  const busy = `${run.agents.running} of ${formatPlural(run.agents.total, "agent")} running`;
  return (
    <LinkRow href={`/runs/${run.id}`}>
      <RunName run={run} />
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="t2 run-doing" data-m="full">
        <span className="ell block" title={doing ?? undefined}>
          {doing}
        </span>
      </td>
      <td className="num t2" data-m="hide" title={busy}>
        {run.agents.running} of {run.agents.total}
      </td>
      <td className="num t2" data-m="hide">
        <RunElapsed run={run} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} digits={2} />}
      </td>
    </LinkRow>
  );
}

/** What the run is busy with, or why it is not. */
function doingWords({ doing, openRequests, status, statusReason }: RunSummary): string | null {
  if (doing !== null) return doing;
  if (openRequests > 0) return "Needs an answer";
  return isHeld(status) && statusReason ? reasonSentence(statusReason) : null;
}
