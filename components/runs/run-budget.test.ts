import { expect, test } from "vitest";
import { budgetState } from "./run-budget";

const stateOf = (spent: number, reserved = 0) => budgetState({ spent, reserved, limit: 1000 });

test("the state of a budget follows from the share that is spent or reserved", () => {
  expect([0, 699, 700, 899, 900, 1000, 1001].map((spent) => stateOf(spent))).toEqual([
    "ok",
    "ok",
    "warning",
    "warning",
    "critical",
    "critical",
    "exceeded",
  ]);
  expect([stateOf(600, 99), stateOf(600, 100), stateOf(0, 950)]).toEqual(["ok", "warning", "critical"]);
});
