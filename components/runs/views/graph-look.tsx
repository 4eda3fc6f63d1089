"use client";

import { IconMinus, IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from "react";
import { agentKey } from "@/components/runs/run-nodes";
import { layoutTree, NODE_HEIGHT, NODE_WIDTH, nodeBeside } from "@/components/runs/views/graph-layout";
import type { LookProps } from "@/components/runs/views/look-panel";
import {
  type GraphEdge,
  type GraphNode,
  type GraphState,
  graphAfter,
  graphNow,
} from "@/components/runs/views/playback";
import { PlaybackBar } from "@/components/runs/views/playback-bar";
import { useFrames } from "@/components/runs/views/use-frames";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration, formatMoney, formatPlural, formatTokens } from "@/components/ui/format";
import { StatusIcon } from "@/components/ui/status";
import { statusWord } from "@/components/ui/status-words";
import type { AgentRow } from "@/server/engine/events";

const ZOOMS = [0.15, 0.3, 0.5, 0.75, 1, 1.25, 1.5];

/** The agents of the run as a tree, with letters and questions between them; as it stands, or as it stood at an event. */
export function GraphLook({ state, view, nowMs, onOpen }: LookProps) {
  const { agents, run } = state;
  const { frames, error, isComplete, retry } = useFrames(run.id, state.lastSeq);
  const [at, setAt] = useState<number | null>(null);
  const [zoom, setZoom] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutTree(agents), [agents]);
  const { steps, mails, requests } = state;
  const now = useMemo(
    () => graphNow({ agents, steps, mails, requests }, nowMs),
    [agents, steps, mails, requests, nowMs],
  );
  const past = useMemo(() => (at === null ? null : graphAfter(frames, at)), [frames, at]);
  const graph = past ?? now;
  const names = useMemo(() => new Map(agents.map(({ id, name }) => [id, name])), [agents]);
  const byId = useMemo(() => new Map(agents.map((agent) => [agent.id, agent])), [agents]);
  const parents = useMemo(() => new Map(agents.map(({ id, parentId }) => [id, parentId])), [agents]);
  const picked = agents.find(({ id }) => agentKey(id) === view.selected)?.id ?? layout.order[0];
  const [focused, setFocused] = useState<string | null>(null);
  const [opening] = useState(() => layout.places.get(picked ?? ""));
  /** A large graph opens on what is picked, or its root: that may be far below the first row. */
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      if (!element || !opening) return;
      element.scrollTo(
        opening.x + NODE_WIDTH - element.clientWidth / 2,
        opening.y + NODE_HEIGHT / 2 - element.clientHeight / 2,
      );
    },
    [opening],
  );
  const tabStop = focused ?? picked;

  const move = (event: KeyboardEvent, id: string) => {
    const next = nodeBeside(layout, id, event.key, (each) => parents.get(each) ?? null);
    if (next === null) return;
    event.preventDefault();
    setFocused(next);
    const target = box.current?.querySelector<HTMLElement>(`[data-node="${next}"]`);
    target?.focus();
    target?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const step = (by: 1 | -1) => setZoom(ZOOMS[Math.min(Math.max(ZOOMS.indexOf(zoom) + by, 0), ZOOMS.length - 1)] ?? 1);
  const fit = () => {
    const { clientWidth = 1, clientHeight = 1 } = box.current ?? {};
    const most = Math.min(clientWidth / layout.width, clientHeight / layout.height);
    setZoom(ZOOMS.findLast((each) => each <= most) ?? ZOOMS[0] ?? 1);
  };

  if (agents.length === 0) {
    return <EmptyState title="No agents yet">The first one appears here when a worker takes the run up.</EmptyState>;
  }
  return (
    <div className="graph">
      <div className="filterbar look-bar graph-bar">
        <span className="num t2">{formatPlural(agents.length, "agent run")}</span>
        <ul className="legend graph-legend">
          <li>
            <i className="edge-key spawn" /> started
          </li>
          <li>
            <i className="edge-key mail" /> letters
          </li>
          <li>
            <i className="edge-key escalation" /> asked above
          </li>
        </ul>
        <span className="grow" />
        <button
          type="button"
          className="icon-btn"
          aria-label="Smaller"
          disabled={zoom === ZOOMS[0]}
          onClick={() => step(-1)}
        >
          <IconMinus size={15} aria-hidden />
        </button>
        <span className="num t2 fs12">{Math.round(zoom * 100)} %</span>
        <button
          type="button"
          className="icon-btn"
          aria-label="Larger"
          disabled={zoom === ZOOMS.at(-1)}
          onClick={() => step(1)}
        >
          <IconPlus size={15} aria-hidden />
        </button>
        <button type="button" className="linkbtn" onClick={fit}>
          Fit
        </button>
      </div>
      <div className="graph-box scroll" ref={attach} {...panning(box)}>
        <div style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <div
            className="graph-plane"
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
          >
            <Edges agents={agents} graph={graph} places={layout.places} picked={view.selected} />
            {layout.order.map((id) => {
              const agent = byId.get(id);
              const place = layout.places.get(id);
              if (!agent || !place) return null;
              return (
                <NodeButton
                  key={id}
                  agent={agent}
                  node={graph.nodes.get(id) ?? null}
                  edges={graph.edges}
                  names={names}
                  atMs={graph.atMs}
                  style={{ left: place.x, top: place.y, width: NODE_WIDTH, height: NODE_HEIGHT }}
                  isPicked={view.selected === agentKey(id)}
                  isUnpriced={run.unpricedCalls > 0}
                  isTabStop={id === tabStop}
                  onFocus={() => setFocused(id)}
                  onKeyDown={(event) => move(event, id)}
                  onOpen={() => onOpen(agentKey(id))}
                />
              );
            })}
          </div>
        </div>
      </div>
      <PlaybackBar
        frames={frames}
        names={names}
        at={at}
        startMs={Date.parse(run.createdAt)}
        isComplete={isComplete}
        error={error}
        onRetry={retry}
        onAt={setAt}
      />
    </div>
  );
}

/** The plane is pulled by its empty parts. */
function panning(box: { current: HTMLDivElement | null }) {
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0 || event.pointerType !== "mouse") return;
      if (event.target instanceof Element && event.target.closest("button")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
      box.current.scrollBy(-event.movementX, -event.movementY);
    },
  };
}

type EdgesProps = {
  agents: readonly AgentRow[];
  graph: GraphState;
  places: ReadonlyMap<string, { x: number; y: number }>;
  /** Key of the row that is picked. */
  picked: string | null;
};

/** More lines than these between agents hide what is behind them: only those of the agent that is picked stay strong. */
const CLEAR_EDGES = 40;

/** What the nodes say in words, too. */
function Edges({ agents, graph, places, picked }: EdgesProps) {
  const isPicked = ({ fromId, toId }: GraphEdge) => agentKey(fromId) === picked || agentKey(toId) === picked;
  const isCrowded = graph.edges.length > CLEAR_EDGES;
  const isPickedClear = graph.edges.filter(isPicked).length <= CLEAR_EDGES;
  const spawned = agents.flatMap(({ id, parentId }) => {
    const [from, to] = [places.get(parentId ?? ""), places.get(id)];
    if (!from || !to || !graph.nodes.has(id)) return [];
    const [x1, y1, x2, y2] = [from.x + NODE_WIDTH, from.y + NODE_HEIGHT / 2, to.x, to.y + NODE_HEIGHT / 2];
    const middle = (x1 + x2) / 2;
    return [<path key={id} className="edge spawn" d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />];
  });
  const between = graph.edges.flatMap((edge) => {
    const { fromId, toId, kind, count } = edge;
    const isFaint = isCrowded && !(isPickedClear && isPicked(edge));
    const [from, to] = [places.get(fromId), places.get(toId)];
    if (!from || !to || fromId === toId) return [];
    // From below to below or from left to left, so that it does not run along the line of who started whom.
    const shift = kind === "mail" ? 12 : -12;
    const [y1, y2] = [from.y + NODE_HEIGHT / 2 + shift, to.y + NODE_HEIGHT / 2 + shift];
    const isSameColumn = from.x === to.x;
    const [x1, x2] = isSameColumn
      ? [from.x + NODE_WIDTH, to.x + NODE_WIDTH]
      : from.x < to.x
        ? [from.x + NODE_WIDTH, to.x]
        : [from.x, to.x + NODE_WIDTH];
    const bend = isSameColumn ? 46 : 0;
    const middle = (x1 + x2) / 2 + bend;
    return [
      <g key={`${kind} ${fromId} ${toId}`} className={`edge ${kind}${isFaint ? " faint" : ""}`}>
        <path d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} markerEnd={`url(#edge-${kind})`} />
        {count > 1 && !isFaint && (
          <text x={isSameColumn ? x1 + 34 : middle} y={(y1 + y2) / 2 - 4} textAnchor="middle">
            {count}
          </text>
        )}
      </g>,
    ];
  });
  return (
    <svg className="graph-edges" width="100%" height="100%" aria-hidden="true">
      <defs>
        {(["mail", "escalation"] as const).map((kind) => (
          <marker
            key={kind}
            id={`edge-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path className={`edge-head ${kind}`} d="M0 0 L8 4 L0 8 Z" />
          </marker>
        ))}
      </defs>
      {spawned}
      {between}
    </svg>
  );
}

type NodeProps = {
  agent: AgentRow;
  /** Null: it is not started yet. */
  node: GraphNode | null;
  edges: readonly GraphEdge[];
  names: ReadonlyMap<string, string>;
  atMs: number;
  style: { left: number; top: number; width: number; height: number };
  isPicked: boolean;
  /** Some calls of the run have no known price. */
  isUnpriced: boolean;
  isTabStop: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: () => void;
};

function NodeButton({
  agent,
  node,
  edges,
  names,
  atMs,
  style,
  isPicked,
  isUnpriced,
  isTabStop,
  onFocus,
  onKeyDown,
  onOpen,
}: NodeProps) {
  const figures = node && [
    // Of a model without a price nothing is known: nil would be a claim.
    ...(isUnpriced && node.costNanoUsd === 0 ? [] : [formatMoney(node.costNanoUsd)]),
    `${formatTokens(node.tokens)} tok`,
    formatDuration((node.untilMs ?? atMs) - node.sinceMs),
  ];
  return (
    <button
      type="button"
      className={`gnode${isPicked ? " on" : ""}${node ? "" : " unborn"}`}
      style={style}
      data-node={agent.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isPicked}
      title={`${agent.name} (${agent.handle})`}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onOpen}
    >
      <span className="gnode-name">
        {node && <StatusIcon status={node.status} size={13} />}
        <span className="ell b">{agent.name}</span>
      </span>
      <span className="gnode-line ell">
        {node ? statusWord(node.status) : "Not started yet"}
        {node?.doing && <span className="t3"> {node.doing}</span>}
      </span>
      {figures && <span className="gnode-line num t2">{figures.join(" · ")}</span>}
      <span className="sr">{edgeWords(agent.id, edges, names)}</span>
    </button>
  );
}

function edgeWords(id: string, edges: readonly GraphEdge[], names: ReadonlyMap<string, string>): string {
  return edges
    .filter(({ fromId }) => fromId === id)
    .map(({ toId, kind, count }) => {
      const what = kind === "mail" ? formatPlural(count, "letter") : formatPlural(count, "question");
      return `, ${what} to ${names.get(toId) ?? "an agent"}`;
    })
    .join("");
}
