"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { Duration } from "@/components/ui/duration";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunSummary } from "@/server/runs/schema";
import { HOME_LISTS } from "./home-lists";
import { RunPanel } from "./run-panel";

const NONE: RunSummary[] = [];

/** Runs that have ended, newest start first. */
export function RecentRuns() {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.list.queryOptions(HOME_LISTS.finished));
  const { rows, holdProps } = useHeldRows("finished", query.data?.items ?? NONE);
  return (
    <RunPanel
      title="Recent runs"
      query={query}
      isEmpty={rows.length === 0}
      empty="No run has ended yet."
      skeleton={{ rows: 4, columns: ["3fr", "1fr", "60px", "60px", "90px"] }}
      actions={<Link href="/runs">All runs</Link>}
    >
      <table className="table cards recent" {...holdProps}>
        <thead>
          <tr>
            <th>Run</th>
            <th>State</th>
            <th className="num">Took</th>
            <th className="num">Cost</th>
            <th className="num">Started</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((run) => (
            <RecentRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </RunPanel>
  );
}

function RecentRow({ run }: { run: RunSummary }) {
  const href = `/runs/${run.id}`;
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
      <td className="num t2" data-m="hide">
        <Duration from={run.startedAt} to={run.finishedAt} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} digits={2} />}
      </td>
      <td className="num t3 run-when">
        <RelativeTime at={run.createdAt} />
      </td>
    </LinkRow>
  );
}
