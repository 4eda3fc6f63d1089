"use client";

import { useResizeObserver } from "@mantine/hooks";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useState } from "react";
import { agentKey } from "@/components/runs/run-nodes";
import { AgentSelect } from "@/components/runs/views/agent-select";
import { GraphEdges } from "@/components/runs/views/graph-edges";
import {
  fitOf,
  layoutFor,
  linesOf,
  NAMED,
  NODE_HEIGHT,
  NODE_WIDTH,
  nodeBeside,
  READABLE,
} from "@/components/runs/views/graph-layout";
import { GraphNodeButton } from "@/components/runs/views/graph-node";
import type { LookProps } from "@/components/runs/views/look-panel";
import { pickedAgent } from "@/components/runs/views/picked-agent";
import { graphAfter, graphNow } from "@/components/runs/views/playback";
import { PlaybackBar } from "@/components/runs/views/playback-bar";
import { useFrames } from "@/components/runs/views/use-frames";
import { useGraphZoom } from "@/components/runs/views/use-graph-zoom";
import { EmptyState } from "@/components/ui/empty-state";
import { formatPlural } from "@/components/ui/format";

/** The agents of the run as a tree, with letters and questions between them; as it stands, or as it stood at an event. */
export function GraphLook({ state, view, nowMs, onOpen }: LookProps) {
  const { agents, run } = state;
  const { frames, error, isComplete, retry } = useFrames(run.id, state.lastSeq);
  const [at, setAt] = useState<number | null>(null);
  const [room, { width, height }] = useResizeObserver<HTMLDivElement>();
  const layout = useMemo(() => layoutFor(agents, { width, height }), [agents, width, height]);
  const { box, plane, zoom, isFitted, smaller, larger, fit, show } = useGraphZoom(fitOf(layout, { width, height }));
  const { steps, mails, requests } = state;
  const now = useMemo(
    () => graphNow({ agents, steps, mails, requests }, nowMs),
    [agents, steps, mails, requests, nowMs],
  );
  const past = useMemo(() => (at === null ? null : graphAfter(frames, at)), [frames, at]);
  const graph = past ?? now;
  const names = useMemo(() => new Map(agents.map(({ id, name }) => [id, name])), [agents]);
  const byId = useMemo(() => new Map(agents.map((agent) => [agent.id, agent])), [agents]);
  const picked = pickedAgent(view);
  const [focused, setFocused] = useState<string | null>(null);
  const tabStop = focused ?? picked ?? layout.order[0];

  const move = (event: KeyboardEvent, id: string) => {
    const next = nodeBeside(layout, id, event.key, (each) => byId.get(each)?.parentId ?? null);
    if (next === null) return;
    event.preventDefault();
    setFocused(next);
    const target = box.current?.querySelector<HTMLElement>(`[data-node="${next}"]`);
    target?.focus();
    target?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const find = (id: string | null) => {
    const place = layout.places.get(id ?? "");
    if (!place) return;
    show({ x: place.x + NODE_WIDTH / 2, y: place.y + layout.nodeHeight / 2 });
    setFocused(place.id);
    view.select(agentKey(place.id));
  };

  if (agents.length === 0) {
    return <EmptyState title="No agents yet">The first one appears here when a worker takes the run up.</EmptyState>;
  }
  return (
    <div className="graph">
      <div className="filterbar look-bar graph-bar">
        <AgentSelect agents={agents} label="Find an agent" value={picked} onChange={find} />
        <button
          type="button"
          className="icon-btn"
          aria-label="Zoom to the picked agent"
          title="Zoom to the picked agent"
          onClick={() => find(picked)}
        >
          <IconFocusCentered size={16} aria-hidden />
        </button>
        <span className="num t2 graph-count">{formatPlural(agents.length, "agent run")}</span>
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
        <button type="button" className="icon-btn" aria-label="Smaller" disabled={!smaller} onClick={() => smaller?.()}>
          <IconMinus size={15} aria-hidden />
        </button>
        <span className="num t2 fs12">{Math.round(zoom * 100)} %</span>
        <button type="button" className="icon-btn" aria-label="Larger" disabled={!larger} onClick={() => larger?.()}>
          <IconPlus size={15} aria-hidden />
        </button>
        <button type="button" className="linkbtn" disabled={isFitted} onClick={fit}>
          Fit
        </button>
      </div>
      {/* Measured around what scrolls: the room is the same with scrollbars and without. */}
      <div className="graph-room" ref={room}>
        {width > 0 && (
          <div className="graph-box scroll" ref={box} {...panning(box)}>
            <div style={{ width: layout.width * zoom, height: layout.height * zoom }}>
              <div
                className="graph-plane"
                ref={plane}
                style={
                  {
                    ...{ width: layout.width, height: layout.height, transform: `scale(${zoom})` },
                    "--zoom": zoom,
                    "--whole-lines": layout.nodeHeight === NODE_HEIGHT ? 1 : 2,
                    "--name-lines": linesOf(layout, zoom),
                  } as CSSProperties
                }
              >
                <GraphEdges agents={agents} graph={graph} layout={layout} picked={picked} />
                {layout.order.map((id) => {
                  const agent = byId.get(id);
                  const place = layout.places.get(id);
                  if (!agent || !place) return null;
                  return (
                    <GraphNodeButton
                      key={id}
                      agent={agent}
                      node={graph.nodes.get(id) ?? null}
                      edges={graph.edges}
                      names={names}
                      atMs={graph.atMs}
                      place={place}
                      layout={layout}
                      size={zoom >= READABLE ? "whole" : zoom >= NAMED ? "name" : "mark"}
                      isPicked={picked === id}
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
        )}
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
function panning(box: RefObject<HTMLDivElement | null>) {
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
