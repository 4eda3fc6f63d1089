import { describe, expect, test } from "vitest";
import { unpackSteps } from "@/components/runs/unpack-steps";
import { atOnce } from "@/server/in-parts";
import { packSteps } from "@/server/runs/queries/pack-steps";
import { type StepTuple, toStepRows, type UsageTuple } from "@/server/runs/queries/row-json";

const FIRST = "01990000-0000-7000-8000-000000000001";
const SECOND = "01990000-0000-7000-8000-000000000002";
const AT = Date.parse("2026-11-22T10:00:00.250Z");
const ERROR = { code: "tool_failed", message: "No such parcel." };

const STEPS: StepTuple[] = [
  [FIRST, 0, 1, "model", "scripted", "completed", null, AT, AT + 750, 400, 80, null],
  [FIRST, 1, 1, "tool", "lookup", "failed", ERROR, AT + 760, AT + 800, 12, 0, null],
  [FIRST, 2, 1, "retrieval", "knowledge_search", "completed", null, AT + 760, AT + 761, 30, 9_000, null],
  [
    FIRST,
    5,
    4,
    "model",
    "scripted",
    "completed",
    null,
    AT + 900,
    AT + 901,
    7,
    8,
    { inputTokens: 7, outputTokens: 8, costNanoUsd: null },
  ],
  // Another agent run begins anew, here before the row above.
  [SECOND, 0, 1, "model", "other", "completed", null, AT - 1, AT - 1, 1, 1, null],
  [SECOND, 1, 1, "human", "user__ask", "aborted", null, AT, AT + 5, 1, 1, null],
];
const USAGES: UsageTuple[] = [
  [SECOND, 0, 5, 6, null],
  [FIRST, 0, 100, 20, 160_000],
];

describe("steps that travel packed", () => {
  test("come out as the rows they are", () => {
    expect(unpackSteps(packSteps(STEPS, USAGES))).toEqual(atOnce(toStepRows(STEPS, USAGES)));
    expect(unpackSteps(packSteps([], []))).toEqual([]);
  });

  test("say so when a column is too short", () => {
    expect(() => unpackSteps({ ...packSteps(STEPS, USAGES), durationMs: [1] })).toThrow(RangeError);
  });
});
