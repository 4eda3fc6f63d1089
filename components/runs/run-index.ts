import { degradedSteps } from "@/components/runs/run-degraded";
import { addSpent, type Spent, spentBy } from "@/components/runs/run-spent";
import type { RunState } from "@/components/runs/run-state";
import { stillnessOf } from "@/components/runs/run-stillness";
import type { AgentRow, DecisionRow, OpenStep, RequestView, StepRow } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";

export type RunRows = Pick<RunState, "agents" | "steps" | "decisions" | "requests">;

/** What is known of one step of an agent run: at least one of the three. */
export type StepPart = {
  position: number;
  /** Null while the step goes on. */
  step: StepRow | null;
  open: OpenStep | null;
  request: RequestView | null;
};

/** The rows of a run by what they belong to. A large run is looked up in it, and not built as a whole. */
export type RunIndex = ReturnType<typeof indexRun>;

export function indexRun(rows: RunRows) {
  const agents = new Map(rows.agents.map((agent) => [agent.id, agent]));
  const decisions = new Map(rows.decisions.map((decision) => [decision.id, decision]));
  const steps = groupBy(rows.steps, (step) => step.agentRunId);
  const requests = groupBy(rows.requests, (request) => request.agentRunId);
  const decisionOf = ({ spawnedById }: AgentRow) => (spawnedById ? decisions.get(spawnedById) : undefined);
  const ownerOf = (agent: AgentRow): string | null => decisionOf(agent)?.agentRunId ?? agent.parentId;
  const hanging = hangingOn(rows.agents, decisionOf);
  const below = groupBy(rows.agents, (agent) => ownerOf(agent) ?? "");
  const carried = carriedSteps(decisions, hanging);
  const parts = new Map<string, readonly StepPart[]>();
  const spent = new Map<string, Spent>();
  const byPosition = new Map<string, Map<number, StepRow>>();
  const partsOf = (agent: AgentRow): readonly StepPart[] => {
    const known = parts.get(agent.id) ?? joinParts(agent, steps.get(agent.id) ?? [], requests.get(agent.id) ?? []);
    parts.set(agent.id, known);
    return known;
  };
  const spentAtOrBelow = (agent: AgentRow): Spent => {
    const known =
      spent.get(agent.id) ??
      (below.get(agent.id) ?? []).map(spentAtOrBelow).reduce(addSpent, spentBy(agent, partsOf(agent)));
    spent.set(agent.id, known);
    return known;
  };
  return {
    rows,
    agents,
    decisions,
    /** Agent runs by the id of what they hang on: the decision that started them, else their parent; in the order chosen. */
    hanging,
    /** The agent run under whose row another's is; null for the root. */
    ownerOf,
    decisionsOf: groupBy(rows.decisions, (decision) => decision.agentRunId),
    requestsOf: requests,
    /** Steps without a row of their own: by agent run and position, the id of the agent run that stands for them. */
    carried,
    stillSince: stillnessOf(rows),
    degraded: degradedSteps(rows.decisions),
    /** A recorded step. */
    stepAt(agentRunId: string, position: number): StepRow | undefined {
      const known =
        byPosition.get(agentRunId) ?? new Map((steps.get(agentRunId) ?? []).map((step) => [step.position, step]));
      byPosition.set(agentRunId, known);
      return known.get(position);
    },
    /** All steps of an agent run: what ended, what goes on, then what a person was asked and no step tells of. */
    partsOf,
    /** Those with a row of their own. */
    shownPartsOf(agent: AgentRow): readonly StepPart[] {
      const ofAgent = carried.get(agent.id);
      return ofAgent ? partsOf(agent).filter(({ position }) => !ofAgent.has(position)) : partsOf(agent);
    },
    /** What an agent run and all below it spent. */
    spentAtOrBelow,
  };
}

function hangingOn(
  agents: readonly AgentRow[],
  decisionOf: (agent: AgentRow) => DecisionRow | undefined,
): Map<string, AgentRow[]> {
  const hanging = groupBy(agents, (agent) => decisionOf(agent)?.id ?? agent.parentId ?? "");
  for (const siblings of hanging.values()) {
    const [first] = siblings;
    const labels = (first && decisionOf(first)?.chosen.map((choice) => choice.label)) ?? [];
    siblings.sort(
      (a, b) =>
        labels.indexOf(a.name) - labels.indexOf(b.name) ||
        a.createdAt.localeCompare(b.createdAt) ||
        a.id.localeCompare(b.id),
    );
  }
  return hanging;
}

/** Steps that only start a child agent: its row stands for them. One that never produced a child keeps its own row. */
function carriedSteps(
  decisions: ReadonlyMap<string, DecisionRow>,
  hanging: ReadonlyMap<string, readonly AgentRow[]>,
): Map<string, Map<number, string>> {
  const carried = new Map<string, Map<number, string>>();
  for (const [id, children] of hanging) {
    const decision = decisions.get(id);
    if (!decision) continue;
    const free = [...children];
    for (const chosen of decision.chosen) {
      if (chosen.position === null || !chosen.option.startsWith("agent:")) continue;
      const at = free.findIndex((agent) => agent.name === chosen.label);
      const [child] = free.splice(at === -1 ? 0 : at, 1);
      if (!child) continue;
      const ofAgent = carried.get(decision.agentRunId) ?? new Map<number, string>();
      carried.set(decision.agentRunId, ofAgent.set(chosen.position, child.id));
    }
  }
  return carried;
}

function joinParts(agent: AgentRow, steps: readonly StepRow[], requests: readonly RequestView[]): StepPart[] {
  const asked = new Map(requests.map((request) => [request.position, request]));
  const parts: StepPart[] = [];
  const add = (position: number, step: StepRow | null, open: OpenStep | null) => {
    parts.push({ position, step, open, request: asked.get(position) ?? null });
  };
  for (const step of steps) add(step.position, step, null);
  const done = new Set(parts.map(({ position }) => position));
  for (const open of isTerminal(agent.status) ? [] : agent.openSteps) {
    if (!done.has(open.position)) add(open.position, null, open);
  }
  // The request is committed before its step is announced, and outlives a step that a crash cut off.
  const shown = new Set(parts.map(({ position }) => position));
  for (const position of asked.keys()) if (!shown.has(position)) add(position, null, null);
  return parts;
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
