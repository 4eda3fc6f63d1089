import { decide } from "./decide";
import type { RequestView } from "./events";
import type { Execution } from "./execution";
import { FenceLostError, type JournalUnit } from "./journal/unit";
import { isLedByEngine } from "./may-spawn";
import type { Offer } from "./offers";
import { outsideDecision } from "./outside-decision";

const OFFERS: Offer[] = [
  {
    key: "agents_above",
    kind: "action",
    label: "Ask the agents above",
    description: "One of them may know. A person is asked when none of them answers in time.",
  },
  { key: "person", kind: "action", label: "Ask a person", description: "Nobody else can say." },
];

/** A question that is asked of the agents above until then (ISO), and the decision that goes with it. */
export type Escalation = { until: string; unit: JournalUnit };

/**
 * Whether the agents above are asked first (LOK-ESC-07), and for how long. Null where a person is asked at once: by the root, by an
 * agent whose time-out is 0, below a root that no model leads, and for what only people decide.
 */
export function escalationOf(
  execution: Execution,
  { kind, position }: Pick<RequestView, "kind" | "position">,
): Escalation | null {
  const { config, isRoot, resources, row, journal } = execution;
  if (row.depth === 1 && isLedByEngine({ ...journal.opened.run, isChild: false })) return null;
  if (isRoot || config.escalationTimeoutMs === 0 || kind !== "question") return null;
  return {
    until: new Date(resources.now().getTime() + config.escalationTimeoutMs).toISOString(),
    unit: decide(execution, {
      position,
      kind: "escalation",
      chosen: [{ option: "agents_above", label: "Ask the agents above", position, reason: null }],
      reason: `${row.name} asks the agents above first, and a person after ${timeoutOf(execution)} without an answer.`,
      source: "policy",
      offers: OFFERS,
    }),
  };
}

/** As it is stored: whose step asked it. */
export type Asker = { id: string; agentRunId: string; position: number };

/**
 * Asks people instead of the agents above, with the reason for it. False when those are asked no longer. Rejects with FenceLostError
 * when this execution may not do it any more.
 */
export async function passOn(
  execution: Execution,
  request: Asker,
  because: { reason: string; source: "runtime-rule" | "model-stated" },
): Promise<boolean> {
  const { id, epoch, workspaceId, runId } = execution.row;
  const decision = outsideDecision({
    workspaceId,
    runId,
    agentRunId: request.agentRunId,
    position: request.position,
    kind: "escalation",
    chosen: "person",
    ...because,
    offers: OFFERS,
  });
  const { rows } = await execution.resources.pool.query<{ word: "passed_on" | "gone" | "lost" }>({
    name: "pass_on_request",
    text: "select pass_on_request($1, $2, $3, $4) as word",
    values: [request.id, id, epoch, decision],
  });
  if (rows[0]?.word === "lost") throw new FenceLostError(id);
  return rows[0]?.word === "passed_on";
}

/** Nobody above answered in time: the question goes to people, who have no deadline (DESIGN section 6 instead of LOK-ESC-12). */
export async function passOnInTime(execution: Execution, request: Asker): Promise<void> {
  const { rows } = await execution.resources.pool.query<{ name: string }>({
    name: "names_above",
    text: "select name from agents_above($1) order by depth desc",
    values: [request.agentRunId],
  });
  const names = rows.map(({ name }) => name).join(" and ");
  const reason = `${names} did not answer within ${timeoutOf(execution)}.`;
  await passOn(execution, request, { reason, source: "runtime-rule" });
}

function timeoutOf({ config }: Execution): string {
  return `${config.escalationTimeoutMs / 1_000} s`;
}
