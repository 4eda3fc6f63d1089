import { at } from "@/components/runs/at-place";
import { STEP_KINDS, STEP_STATUSES, type StepRow } from "@/server/engine/events";
import type { PackedSteps } from "@/server/runs/schema";

/** Steps as rows. Throws RangeError for columns that do not belong together. */
export function unpackSteps(packed: PackedSteps): StepRow[] {
  const errors = new Map(packed.errors);
  const reused = new Map(packed.reused);
  let position = 0;
  let turn = 0;
  let startedAt = 0;
  return packed.agentRun.map((agentRun, row) => {
    position += at(packed.positionDelta, row);
    turn += at(packed.turnDelta, row);
    startedAt += at(packed.startedAtDelta, row);
    const copied = reused.get(row);
    const step: StepRow = {
      agentRunId: at(packed.agentRunIds, agentRun),
      position,
      turn,
      kind: at(STEP_KINDS, at(packed.kind, row)),
      name: at(packed.names, at(packed.name, row)),
      status: at(STEP_STATUSES, at(packed.status, row)),
      error: errors.get(row) ?? null,
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(startedAt + at(packed.durationMs, row)).toISOString(),
      inputTokens: at(packed.inputTokens, row),
      outputTokens: at(packed.outputTokens, row),
      costNanoUsd: at(packed.costNanoUsd, row),
      inputBytes: at(packed.inputBytes, row),
      outputBytes: at(packed.outputBytes, row),
    };
    return copied ? { ...step, reused: copied } : step;
  });
}
