import { expect, test } from "vitest";
import type { DecisionKind } from "@/server/engine/events";
import { decisionTitle, requestOutcome } from "./run-labels";
import { decisionRow, requestView, uuid } from "./run-test-log";

const title = (kind: DecisionKind, ...labels: string[]) =>
  decisionTitle(
    decisionRow(uuid(1), uuid(2), {
      kind,
      chosen: labels.map((label) => ({ option: label, label, position: null, reason: null })),
    }),
  );

test.each([
  [title("delegate", "Searcher", "Searcher", "Writer"), "Delegate → Searcher ×2, Writer"],
  [title("guard", "Refuse it"), "Loop guard → Refuse it"],
  [title("continue", "Send it on"), "Open items → Send it on"],
  [title("continue", "Let it end"), "Open items → Let it end"],
  [title("summary", "Condense the result"), "Long result → Condense the result"],
  [title("compaction", "Condense older messages"), "Long conversation → Condense older messages"],
  [title("dispatch", "Writer"), "Dispatch → Writer"],
  [title("escalation", "Ask the agents above"), "Escalate → Ask the agents above"],
  [title("stop", "Stop"), "Stop"],
])("%s", (told, expected) => {
  expect(told).toBe(expected);
});

test("a request says what became of it, and who was asked", () => {
  const outcome = (over: Parameters<typeof requestView>[2]) => requestOutcome(requestView(uuid(30), uuid(2), over));
  expect(outcome({})).toBeNull();
  expect(outcome({ status: "escalated" })).toBe("asked of the agents above");
  expect(outcome({ status: "answered", answer: "short", answeredBy: "Lead", answeredByAgentId: uuid(3) })).toBe(
    "Lead: Short",
  );
});
