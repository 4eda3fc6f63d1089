"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "@/components/runs/inspector/loaded";
import { textKey } from "@/components/runs/run-live-text";
import { agentKey } from "@/components/runs/run-nodes";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useTRPC } from "@/components/trpc/client";
import { formatBytes, formatCount, formatDuration, formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { Meter } from "@/components/ui/meter";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import { KINDS, KindIcon, StatusBadge } from "@/components/ui/status";
import type { AgentCost, RunCosts, SpentRow, Times, Timing } from "@/server/runs/queries/inside/schema";

const TIME_PARTS: { name: keyof Times; word: string; color: string }[] = [
  { name: "modelMs", word: "Model", color: "var(--bar-model)" },
  { name: "toolMs", word: "Tools", color: "var(--bar-tool)" },
  { name: "retrievalMs", word: "Search in knowledge", color: "var(--bar-retrieval)" },
  { name: "waitingMs", word: "Waiting for people", color: "var(--bar-waiting)" },
  { name: "childrenMs", word: "Waiting for agents", color: "var(--st-suspended)" },
  { name: "queuedMs", word: "Queued", color: "var(--bar-queued)" },
];

/** A part that is there is not told as none. */
function shareWords(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? "<1 %" : `${percent} %`;
}

/** What the run cost and where its time went: by model, tool and agent, and what was visited how often. */
export function CostLook({ state, view }: LookProps) {
  const trpc = useTRPC();
  const { run } = state;
  const costs = useQuery({ ...trpc.runInside.costs.queryOptions({ runId: run.id }), ...rereadEvery(run.status) });
  const page = { getNextPageParam: (last: { nextCursor: number | null }) => last.nextCursor };
  const agents = useInfiniteQuery({
    ...trpc.runInside.agentCosts.infiniteQueryOptions({ runId: run.id }, page),
    ...rereadEvery(run.status),
  });
  const timings = useInfiniteQuery({
    ...trpc.runInside.timings.infiniteQueryOptions({ runId: run.id }, page),
    ...rereadEvery(run.status),
  });
  useRereadAtEnd(run.status, () => Promise.all([costs.refetch(), agents.refetch(), timings.refetch()]));
  const show = (key: string) => view.select(key, { look: "steps" });
  return (
    <div className="look-body look-sections">
      <Loaded query={costs} what="Costs">
        {(known) => (
          <>
            <Totals costs={known} />
            <Models models={known.models} />
            <Tools tools={known.tools} total={known.toolsTotal} />
          </>
        )}
      </Loaded>
      <Loaded query={agents} what="Costs by agent">
        {({ pages }) => (
          <Block title="By agent" note="Own, and with everything below it" count={pages[0]?.total ?? 0}>
            <Agents agents={pages.flatMap(({ items }) => items)} onShow={show} />
            <LoadMore query={agents} />
          </Block>
        )}
      </Loaded>
      <Loaded query={timings} what="Times">
        {({ pages }) => (
          <Block title="What took how long" note="The slowest first" count={pages[0]?.total ?? 0}>
            <Timings timings={pages.flatMap(({ items }) => items)} onShow={show} />
            <LoadMore query={timings} />
          </Block>
        )}
      </Loaded>
    </div>
  );
}

type BlockProps = { title: string; note?: string; count?: number; children: ReactNode };

function Block({ title, note, count, children }: BlockProps) {
  return (
    <section aria-label={title}>
      <h2 className="look-h">
        {title}
        {count !== undefined && <span className="count">{formatCount(count)}</span>}
        {note && <span className="t3 fs12 look-note">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

function Totals({ costs: { total, times } }: { costs: RunCosts }) {
  const parts = TIME_PARTS.map(({ name, word, color }) => ({ word, color, value: times[name] })).filter(
    ({ value }) => value > 0,
  );
  const all = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <Block title="In all">
      <dl className="run-stats look-stats">
        <Stat name="Cost">
          <Money nanoUsd={total.costNanoUsd} unpricedCalls={total.unpricedCalls} />
        </Stat>
        <Stat name="Model calls">{formatCount(total.calls)}</Stat>
        <Stat name="Tokens in">{formatCount(total.inputTokens)}</Stat>
        <Stat name="of them cached">{formatCount(total.cachedTokens)}</Stat>
        <Stat name="Tokens out">{formatCount(total.outputTokens)}</Stat>
      </dl>
      {total.silentCalls > 0 && (
        <Note tone="warn">
          No usage data for {formatPlural(total.silentCalls, "model call")}: the provider did not say what they used, so
          they are not in these figures. They were not free.
        </Note>
      )}
      {all > 0 && (
        <>
          <div className="meter-wrap">
            <Meter label="Time by what it went to" height={10} max={all} parts={parts} />
          </div>
          <ul className="legend-list look-legend">
            {parts.map(({ word, color, value }) => (
              <li key={word}>
                <i style={{ background: color }} />
                <span>{word}</span>
                <span className="num t2">{formatDuration(value)}</span>
                <span className="num t3">{shareWords(value / all)}</span>
              </li>
            ))}
          </ul>
          <p className="t3 fs12">Times are summed over steps: what went on at the same time counts twice.</p>
        </>
      )}
    </Block>
  );
}

function Stat({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const sum = (spent: SpentRow) => <Money nanoUsd={spent.costNanoUsd} unpricedCalls={spent.unpricedCalls} />;

function Tokens({ spent }: { spent: SpentRow }) {
  if (spent.calls > 0 && spent.silentCalls === spent.calls) return <span className="t3">no usage data</span>;
  return <>{formatCount(spent.inputTokens + spent.outputTokens)}</>;
}

function Models({ models }: { models: RunCosts["models"] }) {
  if (models.length === 0) return null;
  return (
    <Block title="By model" count={models.length}>
      <table className="table look-table">
        <thead>
          <tr>
            <th>Model</th>
            <th className="num">Calls</th>
            <th className="num">Tokens in</th>
            <th className="num">Cached</th>
            <th className="num">Tokens out</th>
            <th className="num">Time</th>
            <th className="num">Cost</th>
          </tr>
        </thead>
        <tbody>
          {models.map((row) => (
            <tr key={`${row.provider}/${row.model}`}>
              <td data-m="full">
                <span className="t3">{row.provider}/</span>
                <span className="b">{row.model}</span>
              </td>
              <td className="num" data-l="Calls">
                {formatCount(row.calls)}
              </td>
              <td className="num" data-l="Tokens in">
                {row.silentCalls === row.calls ? (
                  <span className="t3">no usage data</span>
                ) : (
                  formatCount(row.inputTokens)
                )}
              </td>
              <td className="num" data-l="Cached">
                {formatCount(row.cachedTokens)}
              </td>
              <td className="num" data-l="Tokens out">
                {formatCount(row.outputTokens)}
              </td>
              <td className="num" data-l="Time">
                {formatDuration(row.tookMs)}
              </td>
              <td className="num" data-l="Cost">
                {sum(row)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}

function Tools({ tools, total }: { tools: RunCosts["tools"]; total: number }) {
  if (tools.length === 0) return null;
  return (
    <Block title="By tool" count={total}>
      <table className="table look-table">
        <thead>
          <tr>
            <th>Tool</th>
            <th className="num">Calls</th>
            <th className="num">Failed</th>
            <th className="num">In</th>
            <th className="num">Out</th>
            <th className="num">Longest</th>
            <th className="num">Time</th>
            <th className="num" title="What it cost to condense what they returned">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map((row) => (
            <tr key={row.name}>
              <td className="mono" data-m="full">
                {row.name}
              </td>
              <td className="num" data-l="Calls">
                {formatCount(row.calls)}
              </td>
              <td className="num" data-l="Failed">
                {formatCount(row.failed)}
              </td>
              <td className="num" data-l="In">
                {formatBytes(row.inputBytes)}
              </td>
              <td className="num" data-l="Out">
                {formatBytes(row.outputBytes)}
              </td>
              <td className="num" data-l="Longest">
                {formatDuration(row.mostMs)}
              </td>
              <td className="num" data-l="Time">
                {formatDuration(row.totalMs)}
              </td>
              <td className="num" data-l="Cost">
                <Money nanoUsd={row.costNanoUsd} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tools.length < total && (
        <p className="t3 fs12">These are the {formatCount(tools.length)} that took longest in all.</p>
      )}
    </Block>
  );
}

type ShowProps = { onShow: (key: string) => void };

function Agents({ agents, onShow }: ShowProps & { agents: readonly AgentCost[] }) {
  return (
    <table className="table look-table">
      <thead>
        <tr>
          <th>Agent run</th>
          <th>State</th>
          <th className="num">Calls</th>
          <th className="num">Model</th>
          <th className="num">Tools</th>
          <th className="num" title="For people, and for agents it started">
            Waiting
          </th>
          <th className="num">Own tokens</th>
          <th className="num">Tree tokens</th>
          <th className="num">Own $</th>
          <th className="num">Tree $</th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ id, name, handle, status, own, tree, times }) => (
          <tr key={id}>
            <td data-m="full">
              <button type="button" className="linkbtn" title={handle} onClick={() => onShow(agentKey(id))}>
                {name}
              </button>
            </td>
            <td data-l="State">
              <StatusBadge status={status} />
            </td>
            <td className="num" data-l="Calls">
              {formatCount(own.calls)}
            </td>
            <td className="num" data-l="Model">
              {formatDuration(times.modelMs)}
            </td>
            <td className="num" data-l="Tools">
              {formatDuration(times.toolMs + times.retrievalMs)}
            </td>
            <td className="num" data-l="Waiting">
              {formatDuration(times.waitingMs + times.childrenMs)}
            </td>
            <td className="num" data-l="Own tokens">
              <Tokens spent={own} />
            </td>
            <td className="num" data-l="Tree tokens">
              <Tokens spent={tree} />
            </td>
            <td className="num" data-l="Own $">
              {sum(own)}
            </td>
            <td className="num" data-l="Tree $">
              {sum(tree)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Timings({ timings, onShow }: ShowProps & { timings: readonly Timing[] }) {
  return (
    <table className="table look-table">
      <thead>
        <tr>
          <th>Step</th>
          <th>Agent</th>
          <th className="num">Visits</th>
          <th className="num">Failed</th>
          <th className="num">Total</th>
          <th className="num">Average</th>
          <th className="num">Longest</th>
        </tr>
      </thead>
      <tbody>
        {timings.map(({ agent, kind, name, visits, failed, totalMs, averageMs, mostMs, slowest }) => (
          <tr key={`${agent} ${kind} ${name}`}>
            <td data-m="full">
              <span className="row">
                <KindIcon kind={kind} />
                <span className="mono ell" title={KINDS[kind].word}>
                  {name}
                </span>
              </span>
            </td>
            <td data-l="Agent">{agent}</td>
            <td className="num" data-l="Visits">
              {formatCount(visits)}
            </td>
            <td className="num" data-l="Failed">
              {formatCount(failed)}
            </td>
            <td className="num" data-l="Total">
              {formatDuration(totalMs)}
            </td>
            <td className="num" data-l="Average">
              {formatDuration(averageMs)}
            </td>
            <td className="num" data-l="Longest">
              <button
                type="button"
                className="linkbtn"
                title="Show the slowest of them"
                onClick={() => onShow(textKey(slowest.agentRunId, slowest.position))}
              >
                {formatDuration(mostMs)}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
