"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { Duration } from "@/components/ui/duration";
import { formatPlural } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import type { RunSummary } from "@/server/runs/schema";
import { RunName } from "./run-name";
import { RunPanel } from "./run-panel";

/** Runs that have not ended, newest first, with what they are busy with. */
export function RunningNow({ runs }: { runs: readonly RunSummary[] }) {
  const trpc = useTRPC();
  const { data: counts } = useSuspenseQuery(trpc.runs.summary.queryOptions());
  const { rows, holdProps } = useHeldRows("active", runs);
  return (
    <RunPanel
      title="Running now"
      count={counts.active}
      isEmpty={rows.length === 0}
      empty="No run is active."
      actions={<Link href="/runs?status=active">All active runs</Link>}
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
  const busy = `${run.agents.running} of ${formatPlural(run.agents.total, "agent")} running`;
  return (
    <LinkRow href={`/runs/${run.id}`}>
      <RunName run={run} />
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="t2 run-doing" data-m="full">
        <span className="ell block" title={run.doing ?? undefined}>
          {run.doing ?? (run.openRequests > 0 ? "Needs an answer" : null)}
        </span>
      </td>
      <td className="num t2" data-m="hide" title={busy}>
        {run.agents.running} of {run.agents.total}
      </td>
      <td className="num t2" data-m="hide">
        <Duration from={run.createdAt} to={run.finishedAt} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} digits={2} />}
      </td>
    </LinkRow>
  );
}
