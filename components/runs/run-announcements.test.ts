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

  it("tell what the agents above were asked only once it comes to a person", () => {
    const request = requestView(uuid(30), CHILD, { agentName: "Searcher", status: "escalated", escalatedUntil: at(9) });
    const asked = applyEvents(before, eventsOf([[CHILD, { kind: "request.opened", request }]]));
    expect(announcementsBetween(before, asked)).toEqual([]);
    const passed = applyEvents(
      asked,
      eventsOf([[CHILD, { kind: "request.passed_on", requestId: request.id, deadlineAt: null, at: at(9) }]], 2),
    );
    expect(announcementsBetween(asked, passed)).toEqual(["Searcher asks: Short or detailed?"]);
    const answered = applyEvents(
      asked,
      eventsOf(
        [
          [
            CHILD,
            {
              ...{ kind: "request.closed", requestId: request.id, status: "answered", answer: "short" },
              ...{ answeredBy: "Lead", answeredByAgentId: ROOT, at: at(5) },
            },
          ],
        ],
        2,
      ),
    );
    expect(announcementsBetween(asked, answered)).toEqual([]);
  });

  it("tell once that a run is held, and of each agent that is held without it", () => {
    const [child, run] = eventsOf([
      [CHILD, { kind: "agent.status", status: "suspended", reason: null, at: at(1) }],
      [null, { kind: "run.status", status: "suspended", reason: null, answer: null, at: at(1) }],
    ]);
    if (!child || !run) throw new Error("the log is too short");
    expect(announcementsBetween(before, applyEvents(before, [child, run]))).toEqual(["Run: Suspended"]);
    expect(announcementsBetween(before, applyEvents(before, [child]))).toEqual(["Searcher: Suspended"]);
  });

  it("tell why a limit held the run", () => {
    const reason = "This run may use 300 tokens: 280 are used or reserved, and the next call may use up to 90.";
    const after = applyEvents(
      before,
      eventsOf([[null, { kind: "run.status", status: "suspended", reason, answer: null, at: at(1) }]]),
    );
    expect(announcementsBetween(before, after)).toEqual([`Run: Suspended. ${reason.slice(0, -1)}`]);
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
