"use client";

import "./run-list.css";
import Link from "next/link";
import { Duration } from "@/components/ui/duration";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import { TokensCount } from "@/components/ui/tokens-count";
import type { RunSummary } from "@/server/runs/schema";
import { RunStatusBadge } from "./run-list-status";

export function RunListTable({ rows }: { rows: readonly RunSummary[] }) {
  return (
    <table className="table cards edge run-list">
      <thead>
        <tr>
          <th>Run</th>
          <th>State</th>
          <th>Team</th>
          <th>Started</th>
          <th className="num">Elapsed</th>
          <th className="num">Tokens</th>
          <th className="num">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  const href = `/runs/${run.id}`;
  return (
    <LinkRow href={href}>
      <td className="run-name">
        <Link href={href} data-row-link className="b ell block" title={run.title} prefetch={false}>
          {run.title}
        </Link>
      </td>
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="t2">
        <span className="ell block">{run.team.name}</span>
      </td>
      <td className="t2">
        <RelativeTime at={run.createdAt} />
      </td>
      <td className="num t2" data-m="hide">
        <Duration from={run.createdAt} to={run.finishedAt} />
      </td>
      <td className="num t2" data-m="hide">
        <TokensCount input={run.inputTokens} output={run.outputTokens} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} />}
      </td>
    </LinkRow>
  );
}
