"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { Duration } from "@/components/ui/duration";
import { formatPlural } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import type { RunSummary } from "@/server/runs/schema";
import { HOME_LISTS } from "./home-lists";
import { RunPanel } from "./run-panel";

const NONE: RunSummary[] = [];

/** Runs that have not ended, newest first, with what they are busy with. */
export function RunningNow() {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.list.queryOptions(HOME_LISTS.active));
  const summary = useQuery(trpc.runs.summary.queryOptions());
  const { rows, holdProps } = useHeldRows("active", query.data?.items ?? NONE);
  return (
    <RunPanel
      title="Running now"
      count={summary.data?.active}
      query={query}
      isEmpty={rows.length === 0}
      empty="No run is active."
      skeleton={{ rows: 2, columns: ["3fr", "1fr", "2fr", "60px", "60px", "60px"] }}
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
  const href = `/runs/${run.id}`;
  const busy = `${run.agents.running} of ${formatPlural(run.agents.total, "agent")} running`;
  return (
    <LinkRow href={href}>
      <td className="run-name">
        <Link href={href} className="ell block" title={run.title} prefetch={false}>
          <span className="b">{run.title}</span> <span className="t3 hide-m">{run.team.name}</span>
        </Link>
      </td>
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="t2 run-doing" data-m="full">
        <span className="ell block" title={run.doing ?? undefined}>
          {run.doing}
        </span>
      </td>
      <td className="num t2" data-m="hide" title={busy}>
        {run.agents.running} of {run.agents.total}
      </td>
      <td className="num t2" data-m="hide">
        <Duration from={run.startedAt} to={run.finishedAt} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} digits={2} />}
      </td>
    </LinkRow>
  );
}
