"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/client";
import { LinkRow } from "@/components/ui/link-row";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusIcon } from "@/components/ui/status";
import { reasonSentence, statusWord } from "@/components/ui/status-words";
import { HOME_LISTS } from "./home-lists";

/** What failed lately, and why. Absent when nothing did: silence is success. */
export function RecentFailures() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.runs.list.queryOptions(HOME_LISTS.failed));
  if (data.items.length === 0) return null;
  return (
    <Panel
      title="Recent failures"
      className="span2"
      flush
      actions={<Link href="/runs?status=failed">All failures</Link>}
    >
      <table className="table cards failures">
        <thead className="sr">
          <tr>
            <th>Run</th>
            <th>Why</th>
            <th>Ended</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((run) => (
            <LinkRow key={run.id} href={`/runs/${run.id}`}>
              <td className="run-name">
                <span className="row">
                  <StatusIcon status={run.status} />
                  <span className="sr">{statusWord(run.status)}:</span>
                  <Link href={`/runs/${run.id}`} className="b ell" title={run.title} prefetch={false}>
                    {run.title}
                  </Link>
                </span>
              </td>
              <td className="t2 run-doing" data-m="full">
                <span className="ell block" title={run.statusReason ?? undefined}>
                  {run.statusReason ? reasonSentence(run.statusReason) : "No reason was recorded."}
                </span>
              </td>
              <td className="num t3 run-when">
                <RelativeTime at={run.finishedAt ?? run.createdAt} />
              </td>
            </LinkRow>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
