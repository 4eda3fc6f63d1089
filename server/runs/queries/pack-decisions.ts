import { DECISION_KINDS, REASON_SOURCES } from "@/server/engine/events";
import type { PackedDecisions } from "../schema";
import { listOf } from "./list-of";
import type { DecisionTuple } from "./row-json";

/** Decisions as they travel to a browser, which reads them back with `unpackDecisions`: the same rows as `toDecisionRows` makes. */
export function packDecisions(decisions: readonly DecisionTuple[]): PackedDecisions {
  const agentRunIds = listOf<string>();
  const texts = listOf<string>();
  const placeOrNull = (text: string | null) => (text === null ? null : texts.placeOf(text));
  const ids: string[] = [];
  const packed: PackedDecisions = {
    ...{ agentRunIds: agentRunIds.values, texts: texts.values, ids: "" },
    ...{ agentRun: [], kind: [], source: [], positionDelta: [], ordinal: [], costDelta: [], atDelta: [], reason: [] },
    ...{ chosenCount: [], chosen: { option: [], label: [], reason: [], position: [] } },
  };
  let above = { position: 0, cost: 0, at: 0 };
  for (const [id, agentRunId, position, ordinal, kind, chosen, reason, source, cost, at] of decisions) {
    ids.push(id.replaceAll("-", ""));
    packed.agentRun.push(agentRunIds.placeOf(agentRunId));
    packed.kind.push(DECISION_KINDS.indexOf(kind));
    packed.source.push(REASON_SOURCES.indexOf(source));
    packed.positionDelta.push(position - above.position);
    packed.ordinal.push(ordinal);
    packed.costDelta.push(cost - above.cost);
    packed.atDelta.push(at - above.at);
    packed.reason.push(placeOrNull(reason));
    packed.chosenCount.push(chosen.length);
    for (const each of chosen) {
      packed.chosen.option.push(texts.placeOf(each.option));
      packed.chosen.label.push(texts.placeOf(each.label));
      packed.chosen.reason.push(placeOrNull(each.reason));
      packed.chosen.position.push(each.position === null ? null : each.position - position);
    }
    above = { position, cost, at };
  }
  return { ...packed, ids: ids.join("") };
}
