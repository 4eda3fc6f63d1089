import { DECISION_WORDS } from "@/components/runs/run-labels";
import type { RunState } from "@/components/runs/run-state";
import { statusWord } from "@/components/ui/status-words";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import type { Frame } from "@/server/runs/queries/inside/schema";

/** How one agent run stands in the graph. */
export type GraphNode = {
  status: RunStatus;
  costNanoUsd: number;
  tokens: number;
  steps: number;
  /** What it did last. */
  doing: string | null;
  sinceMs: number;
  /** Null while it goes on. */
  untilMs: number | null;
};
/** Letters and questions from one agent run to another. */
export type GraphEdge = { fromId: string; toId: string; kind: "mail" | "escalation"; count: number };
export type GraphState = {
  nodes: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  atMs: number;
};

const isStatus = (word: string | null): word is RunStatus => word !== null;

/** The graph as it stood after the first `count` events. */
export function graphAfter(frames: readonly Frame[], count: number): GraphState {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let atMs = 0;
  const change = (id: string | null, how: (node: GraphNode) => Partial<GraphNode>) => {
    const node = id === null ? undefined : nodes.get(id);
    if (id !== null && node) nodes.set(id, { ...node, ...how(node) });
  };
  const join = (fromId: string | null, toId: string | null, kind: GraphEdge["kind"]) => {
    if (fromId === null || toId === null) return;
    const key = `${kind} ${fromId} ${toId}`;
    edges.set(key, { fromId, toId, kind, count: (edges.get(key)?.count ?? 0) + 1 });
  };
  for (const frame of frames.slice(0, count)) {
    atMs = frame.atMs;
    switch (frame.kind) {
      case "agent.created":
        if (frame.agentRunId !== null) {
          nodes.set(frame.agentRunId, {
            status: isStatus(frame.word) ? frame.word : "queued",
            ...{ costNanoUsd: 0, tokens: 0, steps: 0, doing: null, sinceMs: frame.atMs, untilMs: null },
          });
        }
        break;
      case "agent.status":
        change(frame.agentRunId, (node) => {
          const status = isStatus(frame.word) ? frame.word : node.status;
          return { status, untilMs: isTerminal(status) ? frame.atMs : null };
        });
        break;
      case "step.finished":
        change(frame.agentRunId, (node) => ({
          costNanoUsd: node.costNanoUsd + frame.costNanoUsd,
          tokens: node.tokens + frame.tokens,
          steps: node.steps + 1,
          doing: frame.word,
        }));
        break;
      case "mail.sent":
        join(frame.agentRunId, frame.toId, "mail");
        break;
      case "request.opened":
        join(frame.agentRunId, frame.toId, "escalation");
        break;
    }
  }
  return { nodes, edges: [...edges.values()], atMs };
}

/** The graph as the run stands. */
export function graphNow(
  { agents, steps, mails, requests }: Pick<RunState, "agents" | "steps" | "mails" | "requests">,
  nowMs: number,
): GraphState {
  const counts = new Map<string, number>();
  for (const { agentRunId } of steps) counts.set(agentRunId, (counts.get(agentRunId) ?? 0) + 1);
  const nodes = new Map(
    agents.map((agent): [string, GraphNode] => [
      agent.id,
      {
        ...{ status: agent.status, costNanoUsd: agent.costNanoUsd, tokens: agent.inputTokens + agent.outputTokens },
        ...{ steps: counts.get(agent.id) ?? 0, doing: agent.openSteps.at(-1)?.name ?? null },
        sinceMs: Date.parse(agent.createdAt),
        untilMs: agent.finishedAt === null ? null : Date.parse(agent.finishedAt),
      },
    ]),
  );
  const edges = new Map<string, GraphEdge>();
  const join = (fromId: string, toId: string, kind: GraphEdge["kind"]) => {
    const key = `${kind} ${fromId} ${toId}`;
    edges.set(key, { fromId, toId, kind, count: (edges.get(key)?.count ?? 0) + 1 });
  };
  for (const { fromId, toId } of mails) join(fromId, toId, "mail");
  const parents = new Map(agents.map(({ id, parentId }) => [id, parentId]));
  for (const { agentRunId, status, escalatedUntil, answeredByAgentId } of requests) {
    const above = answeredByAgentId ?? parents.get(agentRunId) ?? null;
    if (above !== null && (status === "escalated" || escalatedUntil !== null || answeredByAgentId !== null)) {
      join(agentRunId, above, "escalation");
    }
  }
  return { nodes, edges: [...edges.values()], atMs: nowMs };
}

/** "Searcher: docs__search done", for the line under the scrubber and for those who hear it. */
export function frameWords(frame: Frame, names: ReadonlyMap<string, string>): string {
  const who = (id: string | null) => (id === null ? "The run" : (names.get(id) ?? "An agent"));
  switch (frame.kind) {
    case "agent.created":
      return `${who(frame.agentRunId)} is started`;
    case "agent.status":
    case "run.status":
      return `${who(frame.kind === "run.status" ? null : frame.agentRunId)}: ${isStatus(frame.word) ? statusWord(frame.word).toLowerCase() : "moves"}`;
    case "step.finished":
      return `${who(frame.agentRunId)}: ${frame.word ?? "a step"} done`;
    case "decision.made":
      return `${who(frame.agentRunId)} decides: ${decisionWord(frame.word)}`;
    case "mail.sent":
      return `${who(frame.agentRunId)} writes to ${who(frame.toId)}`;
    case "request.opened":
      return `${who(frame.agentRunId)} asks ${frame.toId === null ? "people" : who(frame.toId)}`;
    case "request.closed":
      return `${who(frame.agentRunId)}: its question is ${frame.word ?? "closed"}`;
    case "request.passed_on":
      return `${who(frame.agentRunId)}: its question goes to people`;
  }
}

function decisionWord(kind: string | null): string {
  const words: Record<string, string> = DECISION_WORDS;
  return (words[kind ?? ""] ?? "something").toLowerCase();
}
