import { outcomeOf } from "@/components/runs/decision-outcome";
import { lazily } from "@/components/runs/lazily";
import type { RunIndex, StepPart } from "@/components/runs/run-index";
import { DECISION_WORDS, decisionContext } from "@/components/runs/run-labels";
import { textKey } from "@/components/runs/run-live-text";
import { joinSegments, type Segment } from "@/components/runs/run-segments";
import { type Spent, spentBy } from "@/components/runs/run-spent";
import { isUnpriced, usedTokens } from "@/components/runs/run-state";
import { spanOf } from "@/components/runs/run-step-span";
import { firstLine, isModelCall, stepWords } from "@/components/runs/run-step-words";
import type { Outcome } from "@/server/decisions/schema";
import type { AgentRow, DecisionRow, RequestView, StepRow } from "@/server/engine/events";
import { isHeld, type RunStatus } from "@/server/engine/state";

type Item =
  | { type: "agent"; agent: AgentRow; root: boolean }
  | { type: "decision"; decision: DecisionRow; readonly outcome: Outcome }
  | ({ type: "step"; agentRunId: string; kind: StepRow["kind"] } & StepPart);

/**
 * One row of the run tree, with what hangs under it. A large run has thousands: what hangs under an agent run, its bar and what was
 * spent below it are made when they are first read.
 */
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
  readonly segments: readonly Segment[];
  own: Spent | null;
  /** Agent runs: with everything below. */
  readonly tree: Spent | null;
  /** How many `children` there are, told without making them. */
  readonly childCount: number;
  readonly children: readonly RunNode[];
};

export const agentKey = (id: string) => `agent:${id}`;
export const decisionKey = (id: string) => `decision:${id}`;

const ms = (instant: string) => Date.parse(instant);

/** The tree of a run. Children hang under the decision that started them; the rest of an agent run goes by position. */
export function buildRunNodes(index: RunIndex): RunNode[] {
  return index.rows.agents.filter((agent) => agent.parentId === null).map((agent) => agentNode(agent, index));
}

function agentNode(agent: AgentRow, index: RunIndex): RunNode {
  const parts = () => index.partsOf(agent);
  const shown = lazily(() => index.shownPartsOf(agent));
  const decisions = index.decisionsOf.get(agent.id) ?? [];
  const hanging = index.hanging.get(agent.id) ?? [];
  const children = lazily(() => [
    ...[
      ...shown().map((part) => stepNode(part, agent, index)),
      ...decisions.map((decision) => decisionNode(decision, index)),
    ].sort(byPosition),
    ...hanging.map((child) => agentNode(child, index)),
  ]);
  const stillMs = index.stillSince(agent);
  const segments = lazily(() => {
    const queuedUntil = agent.startedAt ?? agent.finishedAt;
    const queued: Segment = {
      kind: "queued",
      startMs: ms(agent.createdAt),
      endMs: queuedUntil === null ? stillMs : ms(queuedUntil),
    };
    return joinSegments([queued, ...parts().map((part) => spanOf(part, agent, stillMs).segment)]);
  });
  const asked = agent.status === "waiting" && asksAbove(index.requestsOf.get(agent.id));
  return {
    key: agentKey(agent.id),
    item: { type: "agent", agent, root: agent.parentId === null },
    name: agent.name,
    context: agent.parentId === null ? null : firstLine(agent.task),
    status: asked ? "running" : agent.status,
    word: asked ? ASKED_ABOVE : null,
    startMs: ms(agent.createdAt),
    endMs: agent.finishedAt === null ? stillMs : ms(agent.finishedAt),
    get segments() {
      return segments();
    },
    own: spentBy(agent, parts()),
    get tree() {
      return index.spentAtOrBelow(agent);
    },
    get childCount() {
      return shown().length + decisions.length + hanging.length;
    },
    get children() {
      return children();
    },
  };
}

/** What is asked of the agents above is not a person's to answer yet. */
const ASKED_ABOVE = "Asked above";

/** Whether it waits for the agents above and for no person. */
function asksAbove(requests: readonly RequestView[] = []): boolean {
  return requests.some(({ status }) => status === "escalated") && !requests.some(({ status }) => status === "open");
}

const NONE: readonly never[] = [];

function decisionNode(decision: DecisionRow, index: RunIndex): RunNode {
  const at = ms(decision.at);
  const started = index.hanging.get(decision.id) ?? NONE;
  const children = started.map((child) => agentNode(child, index));
  const outcome = lazily(() =>
    outcomeOf(decision, {
      ...{ started, owner: index.agents.get(decision.agentRunId) },
      stepAt: (position) => index.stepAt(decision.agentRunId, position),
    }),
  );
  return {
    key: decisionKey(decision.id),
    item: {
      type: "decision",
      decision,
      get outcome() {
        return outcome();
      },
    },
    name: DECISION_WORDS[decision.kind],
    context: decisionContext(decision),
    status: "completed",
    word: null,
    startMs: at,
    endMs: at,
    segments: NONE,
    own: null,
    tree: null,
    childCount: children.length,
    children,
  };
}

function stepNode(part: StepPart, agent: AgentRow, index: RunIndex): RunNode {
  const { position, step, open, request } = part;
  const { kind, status, waiting, escalated, segment } = spanOf(part, agent, index.stillSince(agent));
  const { name, context } = stepWords({ kind, step, open, request });
  const key = textKey(agent.id, position);
  const degraded = index.degraded.get(key);
  const node: RunNode = {
    key,
    item: { type: "step", agentRunId: agent.id, kind, position, step, open, request },
    name,
    context,
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
    startMs: segment.startMs,
    endMs: segment.endMs,
    segments: [segment],
    own: step && spentOnStep(step),
    tree: null,
    childCount: 0,
    children: NONE,
  };
  return degraded === undefined ? node : { ...node, degraded };
}

/** Null for what was not answered: nothing is known of the tokens of a failed call. */
function spentOnStep(step: StepRow): Spent | null {
  if (!usedTokens(step) && !(step.status === "completed" && isModelCall(step.kind))) return null;
  return {
    inputTokens: step.inputTokens,
    outputTokens: step.outputTokens,
    costNanoUsd: step.costNanoUsd ?? 0,
    unpricedCalls: isUnpriced(step) ? 1 : 0,
  };
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
