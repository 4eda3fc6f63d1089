import type { Outcome } from "@/server/decisions/schema";
import type { AgentRow, DecisionRow, StepRow } from "@/server/engine/events";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";

/** What there is to know of how a decision was carried out. */
export type Carriers = {
  /** Agent runs it started. */
  started: readonly AgentRow[];
  /** The agent run that took it. */
  owner: AgentRow | undefined;
  /** A step of that agent run; undefined while it is not recorded. */
  stepAt: (position: number) => StepRow | undefined;
  /** Whether a step of it that goes on waits for a person. */
  waitsAt?: (position: number) => boolean;
};

/** What carried a choice out, as it stands now. */
export type Carrier = { agentRunId: string; position: number | null; status: RunStatus; reason: string | null };

/** The child or step that carried choice `at` out; null while none has begun, and where none does. */
export function carrierOf(decision: DecisionRow, at: number, carriers: Carriers): Carrier | null {
  const { started, owner, stepAt, waitsAt } = carriers;
  const chosen = decision.chosen[at];
  if (!chosen) return null;
  const twins = decision.chosen.slice(0, at).filter((each) => each.option === chosen.option).length;
  const child = started.filter((agent) => chosen.option === `agent:${agent.name}`)[twins];
  if (child) return { agentRunId: child.id, position: null, status: child.status, reason: child.statusReason };
  const { position } = chosen;
  if (position === null) return null;
  const of = { agentRunId: decision.agentRunId, position, reason: null };
  const step = stepAt(position);
  if (step) return { ...of, status: step.status };
  if (!isOpen(owner, position)) return null;
  if (isHeld(owner.status)) return { ...of, status: owner.status };
  return { ...of, status: waitsAt?.(position) ? "waiting" : "running" };
}

/** What came of it, as the list of decisions across runs tells it: of all that carried it out the worst counts. */
export function outcomeOf(decision: DecisionRow, { started, owner, stepAt }: Carriers): Outcome {
  const statuses: RunStatus[] = started.map(({ status }) => status);
  for (const { position } of decision.chosen) {
    const step = position === null ? undefined : stepAt(position);
    if (step) statuses.push(step.status);
    else if (position !== null && isOpen(owner, position)) statuses.push("running");
  }
  if (statuses.some((status) => FAILED.has(status))) return "failed";
  if (statuses.some((status) => status !== "completed")) return "open";
  return statuses.length > 0 ? "completed" : "nothing";
}

const FAILED: ReadonlySet<RunStatus> = new Set(["failed", "aborted", "interrupted"]);

function isOpen(owner: AgentRow | undefined, position: number): owner is AgentRow {
  return owner !== undefined && !isTerminal(owner.status) && owner.openSteps.some((open) => open.position === position);
}
