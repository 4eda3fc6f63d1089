"use client";

import Link from "next/link";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { Duration } from "@/components/ui/duration";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunSummary } from "@/server/runs/schema";
import { RunName } from "./run-name";
import { RunPanel } from "./run-panel";

/** Runs that have ended, newest start first. */
export function RecentRuns({ runs }: { runs: readonly RunSummary[] }) {
  const { rows, holdProps } = useHeldRows("finished", runs);
  return (
    <RunPanel
      title="Recent runs"
      isEmpty={rows.length === 0}
      empty="No run has ended yet."
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
  return (
    <LinkRow href={`/runs/${run.id}`}>
      <RunName run={run} />
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="num t2" data-m="hide">
        <Duration from={run.createdAt} to={run.finishedAt} />
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
