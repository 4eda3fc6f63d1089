import { describe, expect, it } from "vitest";
import { announcementsBetween } from "./run-announcements";
import { applyEvents, fromSnapshot } from "./run-state";
import { agentRow, at, eventsOf, openStep, requestView, stepRow, treeOf, uuid } from "./run-test-log";

const ROOT = uuid(10);
const CHILD = uuid(11);
const before = fromSnapshot(
  treeOf({ agents: [agentRow(ROOT), agentRow(CHILD, { parentId: ROOT, name: "Searcher" })] }),
);

describe("announcements of a run", () => {
  it("tell states and questions", () => {
    const after = applyEvents(
      before,
      eventsOf([
        [CHILD, { kind: "agent.status", status: "failed", reason: null, at: at(1) }],
        [ROOT, { kind: "request.opened", request: requestView(uuid(30), ROOT) }],
        [null, { kind: "run.status", status: "waiting", reason: null, answer: null, at: at(2) }],
      ]),
    );
    expect(announcementsBetween(before, after)).toEqual([
      "Lead asks: Short or detailed?",
      "Searcher: Failed",
      "Run: Waiting",
    ]);
  });

  it("keep silent about steps", () => {
    const after = applyEvents(
      before,
      eventsOf([
        [ROOT, { kind: "steps.started", steps: [openStep(0)] }],
        [ROOT, { kind: "step.finished", step: stepRow(ROOT, 0) }],
      ]),
    );
    expect(announcementsBetween(before, after)).toEqual([]);
  });
});
