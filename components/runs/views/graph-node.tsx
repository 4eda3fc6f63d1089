import type { CSSProperties, KeyboardEvent } from "react";
import { type GraphLayout, NODE_WIDTH, type Placed } from "@/components/runs/views/graph-layout";
import type { GraphEdge, GraphNode } from "@/components/runs/views/playback";
import { formatDuration, formatMoney, formatPlural, formatTokens } from "@/components/ui/format";
import { StatusIcon } from "@/components/ui/status";
import { statusWord, TONE_OF } from "@/components/ui/status-words";
import type { AgentRow } from "@/server/engine/events";

type Props = {
  agent: AgentRow;
  /** Null: it is not started yet. */
  node: GraphNode | null;
  edges: readonly GraphEdge[];
  names: ReadonlyMap<string, string>;
  atMs: number;
  place: Placed;
  layout: Pick<GraphLayout, "width" | "height" | "nodeHeight">;
  /** `name`: too small for all it says; `mark`: for its name, too. The rest stands over it while it is pointed at or has the focus. */
  size: "whole" | "name" | "mark";
  isPicked: boolean;
  /** Some calls of the run have no known price. */
  isUnpriced: boolean;
  isTabStop: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: () => void;
};

/** One agent run of the graph. */
export function GraphNodeButton({
  agent,
  node,
  edges,
  names,
  atMs,
  place,
  layout,
  size,
  isPicked,
  isUnpriced,
  isTabStop,
  onFocus,
  onKeyDown,
  onOpen,
}: Props) {
  const figures = node && [
    // Of a model without a price nothing is known: nil would be a claim.
    ...(isUnpriced && node.costNanoUsd === 0 ? [] : [formatMoney(node.costNanoUsd)]),
    `${formatTokens(node.tokens)} tok`,
    formatDuration((node.untilMs ?? atMs) - node.sinceMs),
  ];
  const whole = (
    <>
      <span className="gnode-name">
        {node && <StatusIcon status={node.status} size={13} />}
        <span className="b gnode-whole-name">{agent.name}</span>
      </span>
      <span className="gnode-line ell">
        {node ? statusWord(node.status) : "Not started yet"}
        {node?.doing && <span className="t3"> {node.doing}</span>}
      </span>
      {figures && <span className="gnode-line num t2">{figures.join(" · ")}</span>}
    </>
  );
  const isSmall = size !== "whole";
  const state = [isPicked && "on", !node && "unborn", isSmall && "small"].filter(Boolean).join(" ");
  return (
    <button
      type="button"
      className={`gnode ${state}`}
      style={
        {
          ...{ left: place.x, top: place.y, width: NODE_WIDTH, height: layout.nodeHeight },
          "--across": place.x / layout.width,
          "--down": place.y / layout.height,
        } as CSSProperties
      }
      data-node={agent.id}
      data-tone={node ? TONE_OF[node.status] : undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isPicked}
      title={isSmall ? undefined : `${agent.name} (${agent.handle})`}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onOpen}
    >
      {isSmall ? (
        <>
          <span className="gnode-short" aria-hidden>
            {node && <StatusIcon status={node.status} size={13} />}
            {size === "name" && <span className="gnode-short-name">{agent.name}</span>}
          </span>
          <span className="gnode-card">{whole}</span>
        </>
      ) : (
        whole
      )}
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
