import { at } from "@/components/runs/at-place";
import { DECISION_KINDS, type DecisionRow, REASON_SOURCES } from "@/server/engine/events";
import type { PackedDecisions } from "@/server/runs/schema";

const ID_DIGITS = 32;

/** Decisions as rows. Throws RangeError for columns that do not belong together. */
export function unpackDecisions(packed: PackedDecisions): DecisionRow[] {
  const { texts, chosen } = packed;
  const textOf = (place: number | null) => (place === null ? null : at(texts, place));
  let position = 0;
  let cost = 0;
  let ms = 0;
  let next = 0;
  return packed.agentRun.map((agentRun, row) => {
    position += at(packed.positionDelta, row);
    cost += at(packed.costDelta, row);
    ms += at(packed.atDelta, row);
    const from = position;
    const choices: DecisionRow["chosen"][number][] = [];
    for (let left = at(packed.chosenCount, row); left > 0; left--) {
      const choice = next++;
      const behind = at(chosen.position, choice);
      choices.push({
        option: at(texts, at(chosen.option, choice)),
        label: at(texts, at(chosen.label, choice)),
        position: behind === null ? null : from + behind,
        reason: textOf(at(chosen.reason, choice)),
      });
    }
    return {
      id: idAt(packed.ids, row),
      agentRunId: at(packed.agentRunIds, agentRun),
      position,
      ordinal: at(packed.ordinal, row),
      kind: at(DECISION_KINDS, at(packed.kind, row)),
      chosen: choices,
      reason: textOf(at(packed.reason, row)),
      source: at(REASON_SOURCES, at(packed.source, row)),
      costSoFarNanoUsd: cost,
      at: new Date(ms).toISOString(),
    };
  });
}

function idAt(ids: string, row: number): string {
  const digits = ids.slice(row * ID_DIGITS, (row + 1) * ID_DIGITS);
  if (digits.length < ID_DIGITS) throw new RangeError(`no id for row ${row}`);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
