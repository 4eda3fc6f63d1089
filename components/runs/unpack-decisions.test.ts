import { describe, expect, test } from "vitest";
import { unpackDecisions } from "@/components/runs/unpack-decisions";
import { atOnce } from "@/server/in-parts";
import { packDecisions } from "@/server/runs/queries/pack-decisions";
import { type DecisionTuple, toDecisionRows } from "@/server/runs/queries/row-json";

const FIRST = "01990000-0000-7000-8000-000000000001";
const SECOND = "01990000-0000-7000-8000-000000000002";
const AT = Date.parse("2026-11-22T10:00:00.250Z");
const choice = (option: string, position: number | null, reason: string | null) => ({
  ...{ option, label: option.replace("agent:", ""), position, reason },
});

const DECISIONS: DecisionTuple[] = [
  [
    ...(["0199aaaa-0000-7000-8000-00000000000a", FIRST, 4, 0, "delegate"] as const),
    [choice("agent:Searcher", 5, "It finds."), choice("agent:Writer", null, "It finds.")],
    ...([null, "model-stated", 1_000, AT] as const),
  ],
  ["0199aaaa-0000-7000-8000-00000000000b", SECOND, 0, 1, "stop", [], "Enough.", "human", 900, AT - 5],
  [
    ...(["0199aaaa-0000-7000-8000-00000000000c", FIRST, 9, 0, "tool_choice"] as const),
    [choice("lookup", 3, null)],
    ...(["It finds.", "not-stated", 2_500, AT + 60_000] as const),
  ],
];

describe("decisions that travel packed", () => {
  test("come out as the rows they are", () => {
    expect(unpackDecisions(packDecisions(DECISIONS))).toEqual(atOnce(toDecisionRows(DECISIONS)));
    expect(unpackDecisions(packDecisions([]))).toEqual([]);
  });

  test("say each text once", () => {
    expect(packDecisions(DECISIONS).texts.filter((text) => text === "It finds.")).toHaveLength(1);
  });

  test("say so when a column is too short", () => {
    const packed = packDecisions(DECISIONS);
    expect(() => unpackDecisions({ ...packed, atDelta: [1] })).toThrow(RangeError);
    expect(() => unpackDecisions({ ...packed, ids: packed.ids.slice(1) })).toThrow(RangeError);
    expect(() => unpackDecisions({ ...packed, chosen: { ...packed.chosen, label: [] } })).toThrow(RangeError);
  });
});
