import { STEP_KINDS, STEP_STATUSES } from "@/server/engine/events";
import type { PackedSteps } from "../schema";
import { listOf } from "./list-of";
import { type StepTuple, type UsageTuple, usageLookup } from "./row-json";

/** Steps as they travel to a browser, which reads them back with `unpackSteps`: the same rows as `toStepRows` makes. */
export function packSteps(steps: readonly StepTuple[], usages: readonly UsageTuple[]): PackedSteps {
  const agentRunIds = listOf<string>();
  const names = listOf<string>();
  const usageOf = usageLookup(usages);
  const packed: PackedSteps = {
    ...{ agentRunIds: agentRunIds.values, names: names.values },
    ...{
      agentRun: [],
      name: [],
      kind: [],
      status: [],
      positionDelta: [],
      turnDelta: [],
      startedAtDelta: [],
      durationMs: [],
    },
    ...{ inputTokens: [], outputTokens: [], costNanoUsd: [], inputBytes: [], outputBytes: [], errors: [], reused: [] },
  };
  let above = { position: 0, turn: 0, startedAt: 0 };
  for (const [row, step] of steps.entries()) {
    const [
      agentRunId,
      position,
      turn,
      kind,
      name,
      status,
      error,
      startedAt,
      finishedAt,
      inputBytes,
      outputBytes,
      reused,
    ] = step;
    const [, , inputTokens = 0, outputTokens = 0, costNanoUsd = null] = usageOf(agentRunId, position) ?? [];
    packed.agentRun.push(agentRunIds.placeOf(agentRunId));
    packed.name.push(names.placeOf(name));
    packed.kind.push(STEP_KINDS.indexOf(kind));
    packed.status.push(STEP_STATUSES.indexOf(status));
    packed.positionDelta.push(position - above.position);
    packed.turnDelta.push(turn - above.turn);
    packed.startedAtDelta.push(startedAt - above.startedAt);
    packed.durationMs.push(finishedAt - startedAt);
    packed.inputTokens.push(inputTokens);
    packed.outputTokens.push(outputTokens);
    packed.costNanoUsd.push(costNanoUsd);
    packed.inputBytes.push(inputBytes);
    packed.outputBytes.push(outputBytes);
    if (error) packed.errors.push([row, error]);
    if (reused) packed.reused.push([row, reused]);
    above = { position, turn, startedAt };
  }
  return packed;
}
