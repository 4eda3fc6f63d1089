import { type GraphLayout, NODE_WIDTH, type Placed } from "@/components/runs/views/graph-layout";
import type { GraphEdge, GraphState } from "@/components/runs/views/playback";
import type { AgentRow } from "@/server/engine/events";

type Props = {
  agents: readonly AgentRow[];
  graph: GraphState;
  layout: GraphLayout;
  /** The agent run that is picked. */
  picked: string | null;
};

/** More lines or agents than these hide what is behind them: only letters of the agent that is picked stay strong. */
const CLEAR = 40;

/** What the nodes say in words, too. */
export function GraphEdges({ agents, graph, layout: { places, blocks, nodeHeight }, picked }: Props) {
  const isPicked = ({ fromId, toId }: GraphEdge) => fromId === picked || toId === picked;
  const isCrowded = graph.edges.length > CLEAR || agents.length > CLEAR;
  const isPickedClear = graph.edges.filter(isPicked).length <= CLEAR;
  const ofBlocks = new Set(blocks.flatMap(({ ids }) => ids));
  const spawned = agents.flatMap(({ id, parentId }) => {
    const [from, to] = [places.get(parentId ?? ""), places.get(id)];
    if (!from || !to || ofBlocks.has(id) || !graph.nodes.has(id)) return [];
    return [<path key={id} className="edge spawn" d={spawnLine(from, nodeHeight, to.x, to.y + nodeHeight / 2)} />];
  });
  const framed = blocks.flatMap(({ parentId, ids, ...frame }) => {
    const from = places.get(parentId);
    if (!from || !ids.some((id) => graph.nodes.has(id))) return [];
    return [
      <g key={ids[0]} className="edge spawn">
        <path d={spawnLine(from, nodeHeight, frame.x, frame.y + frame.height / 2)} />
        <rect {...frame} rx={10} />
      </g>,
    ];
  });
  const between = graph.edges.flatMap((edge) => {
    const { fromId, toId, kind, count } = edge;
    const isFaint = isCrowded && !(isPickedClear && isPicked(edge));
    const [from, to] = [places.get(fromId), places.get(toId)];
    if (!from || !to || fromId === toId) return [];
    // From below to below or from left to left, so that it does not run along the line of who started whom.
    const shift = kind === "mail" ? 12 : -12;
    const [y1, y2] = [from.y + nodeHeight / 2 + shift, to.y + nodeHeight / 2 + shift];
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
      {framed}
      {between}
    </svg>
  );
}

/** From whoever started others to the first of them, or to the frame around them. */
function spawnLine(from: Placed, height: number, x2: number, y2: number): string {
  const [x1, y1] = [from.x + NODE_WIDTH, from.y + height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
