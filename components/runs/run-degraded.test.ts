import { expect, test } from "vitest";
import type { DecisionKind, DecisionRow } from "@/server/engine/events";
import { degradedSteps } from "./run-degraded";

const decision = (kind: DecisionKind, position: number, next: number | null): DecisionRow => ({
  ...{ id: `${kind}-${position}`, agentRunId: "a", position, ordinal: 0, kind, costSoFarNanoUsd: 0 },
  chosen: [{ option: kind, label: kind, position: next, reason: null }],
  ...{ reason: `${kind} at ${position}`, source: "policy", at: "2026-01-01T00:00:00.000Z" },
});

test("the step a stand-in answers is degraded, with its retries, and nothing else is", () => {
  const made = [
    decision("retry", 4, 5),
    decision("retry", 1, 2),
    decision("fallback", 2, 3),
    decision("retry", 3, 4),
    decision("finish", 5, null),
    decision("fallback", 9, 9),
  ];
  expect([...degradedSteps(made)]).toEqual([
    ["a.3", "fallback at 2"],
    ["a.4", "fallback at 2"],
    ["a.5", "fallback at 2"],
    ["a.9", "fallback at 9"],
  ]);
});
