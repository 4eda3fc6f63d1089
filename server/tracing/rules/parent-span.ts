import type { ChosenOption } from "@/server/engine/events";
import { deriveId } from "@/server/engine/ids";
import { agentSpanId, stepSpanId } from "./span-ids";

export type SpawnedBy = {
  agentRunId: string;
  position: number;
  chosen: readonly ChosenOption[];
  /** Of the positions named above those with a recorded step. */
  recorded: readonly number[];
};

/**
 * The span an agent run hangs on: the call that spawned it, else the step whose decision it was, else its parent's. A child's id
 * is derived from the call, so which of several calls it was is known without having been written down.
 */
export function parentSpanOf(child: { id: string; parentId: string | null }, by: SpawnedBy | null): string | null {
  if (child.parentId === null) return null;
  if (by === null) return agentSpanId(child.parentId);
  const { agentRunId, position, chosen, recorded } = by;
  const carriedOut = chosen.flatMap((choice) => (choice.position === null ? [] : [choice.position]));
  const calls = carriedOut.filter((at) =>
    [`child ${at}`, `pattern ${at}`].some((place) => deriveId(agentRunId, place) === child.id),
  );
  const at = [...calls, ...(carriedOut.length === 1 ? carriedOut : []), position].find((one) => recorded.includes(one));
  return at === undefined ? agentSpanId(agentRunId) : stepSpanId(agentRunId, at);
}
