"use client";

import "./run-list.css";
import { Checkbox } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import Link from "next/link";
import { LinkRow } from "@/components/ui/link-row";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import { TokensCount } from "@/components/ui/tokens-count";
import type { RunSummary } from "@/server/runs/schema";
import { RunElapsed } from "./run-elapsed";
import { RunStatusBadge } from "./run-list-status";
import { RunMenu } from "./run-menu";
import { RunTags } from "./run-tags";
import type { RunPicks } from "./use-run-selection";

/** More would leave no room for the title. */
const TAGS_IN_A_ROW = 2;

type Props = {
  rows: readonly RunSummary[];
  /** Null for whoever may do nothing with them. */
  picks: RunPicks | null;
  /** Rows left the list by what somebody did with them here. */
  onChanged: () => void;
};

export function RunListTable({ rows, picks, onChanged }: Props) {
  const loaded = rows.filter(({ id }) => picks?.picked.has(id)).length;
  return (
    <table className="table cards edge run-list">
      <thead>
        <tr>
          <th>
            <span className="run-pick">
              {picks && (
                <Checkbox
                  size="xs"
                  aria-label="Select all that are shown"
                  checked={loaded === rows.length}
                  indeterminate={loaded > 0 && loaded < rows.length}
                  onChange={picks.pickLoaded}
                />
              )}
              Run
            </span>
          </th>
          <th>State</th>
          <th>Team or agent</th>
          <th>Started</th>
          <th className="num">Elapsed</th>
          <th className="num">Tokens</th>
          <th className="num">Cost</th>
          {picks && (
            <th>
              <span className="sr">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((run) => (
          <RunRow key={run.id} run={run} picks={picks} onChanged={onChanged} />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run, picks, onChanged }: Omit<Props, "rows"> & { run: RunSummary }) {
  const href = `/runs/${run.id}`;
  return (
    <LinkRow href={href}>
      <td className="run-name">
        <div className="run-pick">
          {picks && (
            <Checkbox
              size="xs"
              aria-label={`Select “${run.title}”`}
              checked={picks.picked.has(run.id)}
              data-pick={run.id}
              // Else the browser selects the text in between.
              onMouseDown={(event) => event.shiftKey && event.preventDefault()}
              onChange={({ nativeEvent, currentTarget }) => {
                const isPress = nativeEvent instanceof MouseEvent && nativeEvent.detail > 0;
                picks.pick(run.id, isPress && nativeEvent.shiftKey);
                // The keys of the list go on from the row that was pressed; in a box they would be its own.
                if (isPress) currentTarget.closest("tr")?.querySelector<HTMLElement>("a[data-row-link]")?.focus();
              }}
            />
          )}
          <div className="grow">
            <span className="run-line">
              <Link href={href} data-row-link className="b ell" title={run.title} prefetch={false}>
                {run.title}
              </Link>
              <RunTags run={run} most={TAGS_IN_A_ROW} />
            </span>
            {run.imported && <span className="t3 fs12 block">Imported, read-only</span>}
            {run.similarity !== undefined && (
              <span className="t3 fs12 block">{Math.round(100 * run.similarity)} % alike</span>
            )}
            {run.isFork && <span className="t3 fs12 block">Retried from a step</span>}
          </div>
        </div>
      </td>
      <td>
        <RunStatusBadge run={run} />
      </td>
      <td className="t2 run-target">
        <span className="ell block" title={run.target.name}>
          {run.target.name}
        </span>
      </td>
      <td className="t2">
        <RelativeTime at={run.createdAt} />
      </td>
      <td className="num t2" data-m="hide">
        <RunElapsed run={run} />
      </td>
      <td className="num t2" data-m="hide">
        <TokensCount input={run.inputTokens} output={run.outputTokens} />
      </td>
      <td className="num" data-m="hide">
        {run.startedAt && <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} />}
      </td>
      {picks && (
        <td className="run-more">
          <RunMenu run={run} onArchived={onChanged} onRemoved={onChanged}>
            <button type="button" className="icon-btn" aria-label={`Actions for “${run.title}”`}>
              <IconDots size={16} aria-hidden />
            </button>
          </RunMenu>
        </td>
      )}
    </LinkRow>
  );
}
