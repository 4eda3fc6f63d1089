import { degradedSteps } from "@/components/runs/run-degraded";
import { DECISION_WORDS, decisionContext } from "@/components/runs/run-labels";
import { textKey } from "@/components/runs/run-live-text";
import { joinSegments, type Segment, type SegmentKind } from "@/components/runs/run-segments";
import { isUnpriced, type RunState, usedTokens } from "@/components/runs/run-state";
import { firstLine, isModelCall, stepWords } from "@/components/runs/run-step-words";
import { stillnessOf } from "@/components/runs/run-stillness";
import type { AgentRow, DecisionRow, OpenStep, RequestView, StepRow } from "@/server/engine/events";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";

/** Tokens and cost; `unpricedCalls` are left out of the cost. */
export type Spent = { inputTokens: number; outputTokens: number; costNanoUsd: number; unpricedCalls: number };

type Item =
  | { type: "agent"; agent: AgentRow; root: boolean }
  | { type: "decision"; decision: DecisionRow }
  | {
      type: "step";
      agentRunId: string;
      position: number;
      kind: StepRow["kind"];
      /** Null while the step goes on. */
      step: StepRow | null;
      open: OpenStep | null;
      request: RequestView | null;
    };

/** One row of the run tree, with what hangs under it. */
export type RunNode = {
  /** `agent:<id>`, `decision:<id>` or `<agentRunId>.<position>`. */
  key: string;
  item: Item;
  name: string;
  context: string | null;
  status: RunStatus;
  /** More specific than the status, when known. */
  word: string | null;
  /** Why something else answered in its place; absent: nothing did. */
  degraded?: string;
  startMs: number;
  /** Null while it moves; of what is held, since when it stands still. */
  endMs: number | null;
  segments: readonly Segment[];
  own: Spent | null;
  /** Agent runs: with everything below. */
  tree: Spent | null;
  children: readonly RunNode[];
};

export const agentKey = (id: string) => `agent:${id}`;
export const decisionKey = (id: string) => `decision:${id}`;

const NOTHING: Spent = { inputTokens: 0, outputTokens: 0, costNanoUsd: 0, unpricedCalls: 0 };
const ms = (instant: string) => Date.parse(instant);

/** The tree of a run. Children hang under the decision that started them; the rest of an agent run goes by position. */
export function buildRunNodes(state: Rows): RunNode[] {
  const index = indexOf(state);
  return state.agents.filter((agent) => agent.parentId === null).map((agent) => agentNode(agent, index));
}

type Rows = Pick<RunState, "agents" | "steps" | "decisions" | "requests">;
type Index = ReturnType<typeof indexOf>;

function indexOf(state: Rows) {
  const children = childrenOf(state);
  const decisions = groupBy(state.decisions, (decision) => decision.agentRunId);
  return {
    children,
    decisions,
    steps: groupBy(state.steps, (step) => step.agentRunId),
    requests: groupBy(state.requests, (request) => request.agentRunId),
    carried: delegationSteps(state.decisions, children),
    stillSince: stillnessOf(state),
    degraded: degradedSteps(state.decisions),
  };
}

/** Agent runs by the id of what they hang on: the decision that started them, else their parent; in the order chosen. */
function childrenOf({ agents, decisions }: Pick<Rows, "agents" | "decisions">): Map<string, AgentRow[]> {
  const chosen = new Map(decisions.map((decision) => [decision.id, decision.chosen.map((choice) => choice.label)]));
  const children = groupBy(agents, ({ spawnedById, parentId }) =>
    spawnedById && chosen.has(spawnedById) ? spawnedById : (parentId ?? ""),
  );
  for (const [id, siblings] of children) {
    const labels = chosen.get(id) ?? [];
    siblings.sort(
      (a, b) =>
        labels.indexOf(a.name) - labels.indexOf(b.name) ||
        a.createdAt.localeCompare(b.createdAt) ||
        a.id.localeCompare(b.id),
    );
  }
  return children;
}

/** Keys of steps without a row of their own, with the id of the agent run that stands for them. */
export function standIns(state: Pick<Rows, "agents" | "decisions">): Map<string, string> {
  return delegationSteps(state.decisions, childrenOf(state));
}

/** Steps that only start a child agent: its row stands for them. One that never produced a child keeps its own row. */
function delegationSteps(
  decisions: readonly DecisionRow[],
  children: ReadonlyMap<string, readonly AgentRow[]>,
): Map<string, string> {
  const carried = new Map<string, string>();
  for (const decision of decisions) {
    const free = [...(children.get(decision.id) ?? [])];
    for (const chosen of decision.chosen) {
      if (chosen.position === null || !chosen.option.startsWith("agent:")) continue;
      const at = free.findIndex((agent) => agent.name === chosen.label);
      const [child] = free.splice(at === -1 ? 0 : at, 1);
      if (child) carried.set(textKey(decision.agentRunId, chosen.position), child.id);
    }
  }
  return carried;
}

function agentNode(agent: AgentRow, index: Index): RunNode {
  const steps = stepNodes(agent, index);
  const decisions = (index.decisions.get(agent.id) ?? []).map((decision) => decisionNode(decision, index));
  const shown = steps.filter((node) => !index.carried.has(node.key));
  const children = [
    ...[...shown, ...decisions].sort(byPosition),
    ...(index.children.get(agent.id) ?? []).map((child) => agentNode(child, index)),
  ];
  const own: Spent = {
    inputTokens: agent.inputTokens,
    outputTokens: agent.outputTokens,
    costNanoUsd: agent.costNanoUsd,
    unpricedCalls: (index.steps.get(agent.id) ?? []).filter(isUnpriced).length,
  };
  const stillMs = index.stillSince(agent);
  const asked = agent.status === "waiting" && asksAbove(index.requests.get(agent.id));
  const queuedUntil = agent.startedAt ?? agent.finishedAt;
  const queued: Segment = {
    kind: "queued",
    startMs: ms(agent.createdAt),
    endMs: queuedUntil === null ? stillMs : ms(queuedUntil),
  };
  return {
    key: agentKey(agent.id),
    item: { type: "agent", agent, root: agent.parentId === null },
    name: agent.name,
    context: agent.parentId === null ? null : firstLine(agent.task),
    status: asked ? "running" : agent.status,
    word: asked ? ASKED_ABOVE : null,
    startMs: ms(agent.createdAt),
    endMs: agent.finishedAt === null ? stillMs : ms(agent.finishedAt),
    segments: joinSegments([queued, ...steps.flatMap((node) => node.segments)]),
    own,
    tree: children.reduce((sum, child) => addSpent(sum, childAgents(child)), own),
    children,
  };
}

/** What is asked of the agents above is not a person's to answer yet. */
const ASKED_ABOVE = "Asked above";

/** Whether it waits for the agents above and for no person. */
function asksAbove(requests: readonly RequestView[] = []): boolean {
  return requests.some(({ status }) => status === "escalated") && !requests.some(({ status }) => status === "open");
}

/** What the agent runs at or under a node spent. Steps are already in their own agent run. */
function childAgents(node: RunNode): Spent {
  if (node.item.type === "agent") return node.tree ?? NOTHING;
  return node.children.reduce((sum, child) => addSpent(sum, childAgents(child)), NOTHING);
}

function addSpent(a: Spent, b: Spent): Spent {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}

function decisionNode(decision: DecisionRow, index: Index): RunNode {
  const at = ms(decision.at);
  return {
    key: decisionKey(decision.id),
    item: { type: "decision", decision },
    name: DECISION_WORDS[decision.kind],
    context: decisionContext(decision),
    status: "completed",
    word: null,
    startMs: at,
    endMs: at,
    segments: [],
    own: null,
    tree: null,
    children: (index.children.get(decision.id) ?? []).map((child) => agentNode(child, index)),
  };
}

function stepNodes(agent: AgentRow, index: Index): RunNode[] {
  const finished = index.steps.get(agent.id) ?? [];
  const done = new Set(finished.map((step) => step.position));
  const open = isTerminal(agent.status) ? [] : agent.openSteps.filter((step) => !done.has(step.position));
  const requests = new Map((index.requests.get(agent.id) ?? []).map((request) => [request.position, request]));
  const of = { agent, stillMs: index.stillSince(agent), degraded: index.degraded };
  const nodes = [
    ...finished.map((step) => stepNode({ ...of, step, open: null, request: requests.get(step.position) ?? null })),
    ...open.map((step) => stepNode({ ...of, step: null, open: step, request: requests.get(step.position) ?? null })),
  ];
  const shown = new Set(nodes.map((node) => node.key));
  // The request is committed before its step is announced, and outlives a step that a crash cut off.
  const alone = [...requests.values()].filter((request) => !shown.has(textKey(agent.id, request.position)));
  return [...nodes, ...alone.map((request) => stepNode({ ...of, step: null, open: null, request }))];
}

type StepParts = {
  agent: AgentRow;
  /** Since when its agent run stands still. */
  stillMs: number | null;
  degraded: ReadonlyMap<string, string>;
  step: StepRow | null;
  open: OpenStep | null;
  request: RequestView | null;
};

function stepNode({ agent, stillMs, degraded, step, open, request }: StepParts): RunNode {
  const kind = step?.kind ?? open?.kind ?? (request?.kind === "question" ? "human" : "tool");
  const position = step?.position ?? open?.position ?? request?.position ?? 0;
  const begun = step?.startedAt ?? open?.startedAt ?? request?.createdAt ?? agent.createdAt;
  const ended = step?.finishedAt ?? (open ? null : (request?.answeredAt ?? null));
  const waiting = request?.status === "open" && !step;
  const escalated = request?.status === "escalated" && !step;
  const status = stepStatus(step, waiting, ended !== null, agent);
  const startMs = ms(begun);
  const heldMs = stillMs === null ? null : Math.max(startMs, stillMs);
  const endMs = ended === null ? heldMs : ms(ended);
  return {
    key: textKey(agent.id, position),
    item: { type: "step", agentRunId: agent.id, position, kind, step, open, request },
    ...stepWords({ kind, step, open, request }),
    status,
    word: step?.reused
      ? "Reused"
      : waiting
        ? "Waiting for you"
        : isHeld(status)
          ? "On hold"
          : escalated
            ? ASKED_ABOVE
            : null,
    startMs,
    endMs,
    ...degradedBy(degraded.get(textKey(agent.id, position))),
    segments: [{ kind: segmentKind({ kind, name: step?.name ?? open?.name, status }), startMs, endMs }],
    own:
      // A failed call was not answered: nothing is known of its tokens.
      step && (usedTokens(step) || (step.status === "completed" && isModelCall(kind)))
        ? {
            inputTokens: step.inputTokens,
            outputTokens: step.outputTokens,
            costNanoUsd: step.costNanoUsd ?? 0,
            unpricedCalls: isUnpriced(step) ? 1 : 0,
          }
        : null,
    tree: null,
    children: [],
  };
}

const degradedBy = (degraded: string | undefined) => (degraded === undefined ? {} : { degraded });

function stepStatus(step: StepRow | null, waiting: boolean, ended: boolean, agent: AgentRow): RunStatus {
  if (step) return step.status;
  if (waiting) return "waiting";
  if (ended) return "completed";
  // The step stays open while its agent run is held: it shows that, not a spinner.
  return agent.status === "waiting" || agent.status === "queued" ? "running" : agent.status;
}

/** Waiting for agents it started is no work of its own: neither for those it collects, nor for those the engine led in its place. */
function waitsForChildren(name = ""): boolean {
  return name === "agent__collect" || name.startsWith("pattern__");
}

function segmentKind({ kind, name, status }: { kind: StepRow["kind"]; name?: string; status: RunStatus }): SegmentKind {
  if (status === "failed") return "failed";
  if (kind === "human" || status === "waiting") return "waiting";
  if (kind === "summary") return "model";
  return waitsForChildren(name) ? "children" : kind;
}

function byPosition(a: RunNode, b: RunNode): number {
  const place = ({ item }: RunNode): [number, number] => {
    if (item.type === "step") return [item.position, -1];
    if (item.type === "decision") return [item.decision.position, item.decision.ordinal];
    return [Number.POSITIVE_INFINITY, 0];
  };
  const [positionA, ordinalA] = place(a);
  const [positionB, ordinalB] = place(b);
  return positionA - positionB || ordinalA - ordinalB || a.startMs - b.startMs;
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
