import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent, RunEventBody, StepRow, TextDelta } from "@/server/engine/events";
import { HELD_STATUSES } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";
import { applyDeltas, applyEvents, fromSnapshot, isBehind, isUnpriced, type RunState, withSnapshot } from "./run-state";
import {
  agentRow,
  at,
  decisionRow,
  eventsOf,
  openStep,
  RUN_ID,
  requestView,
  stepRow,
  treeOf,
  uuid,
} from "./run-test-log";

const ROOT = uuid(10);
const CHILD = uuid(11);
const DECISION = uuid(20);
const REQUEST = uuid(30);

const LOG: RunEvent[] = eventsOf([
  [ROOT, { kind: "agent.created", agent: agentRow(ROOT) }],
  [null, { kind: "run.status", status: "running", reason: null, answer: null, at: at(1) }],
  [ROOT, { kind: "agent.status", status: "running", reason: null, at: at(1) }],
  [ROOT, { kind: "steps.started", steps: [openStep(0)] }],
  [ROOT, { kind: "step.finished", step: stepRow(ROOT, 0, { inputTokens: 100, outputTokens: 20, costNanoUsd: 5_000 }) }],
  [ROOT, { kind: "decision.made", decision: decisionRow(DECISION, ROOT) }],
  [CHILD, { kind: "agent.created", agent: agentRow(CHILD, { parentId: ROOT, spawnedById: DECISION, depth: 1 }) }],
  [ROOT, { kind: "steps.started", steps: [openStep(1, { kind: "tool" }), openStep(2, { kind: "human" })] }],
  [CHILD, { kind: "agent.status", status: "running", reason: null, at: at(2) }],
  [CHILD, { kind: "steps.started", steps: [openStep(0)] }],
  [ROOT, { kind: "agent.published", name: "order.shipped", data: { id: "4711" }, at: at(2) }],
  [ROOT, { kind: "step.finished", step: stepRow(ROOT, 1, { kind: "tool" }) }],
  [ROOT, { kind: "request.opened", request: requestView(REQUEST, ROOT, { position: 2 }) }],
  [ROOT, { kind: "agent.status", status: "waiting", reason: null, at: at(3) }],
  [CHILD, { kind: "step.finished", step: stepRow(CHILD, 0, { inputTokens: 7, outputTokens: 3 }) }],
  [CHILD, { kind: "agent.status", status: "completed", reason: null, at: at(4) }],
  [
    ROOT,
    {
      kind: "request.closed",
      requestId: REQUEST,
      status: "answered",
      answer: "short",
      answeredBy: "Mara",
      answeredByAgentId: null,
      at: at(9),
    },
  ],
  [ROOT, { kind: "step.finished", step: stepRow(ROOT, 2, { kind: "human" }) }],
  [ROOT, { kind: "agent.status", status: "completed", reason: null, at: at(10) }],
  [null, { kind: "run.status", status: "completed", reason: null, answer: "Done.", at: at(10) }],
]);

const snapshotAfter = (count: number): RunTree => toTree(applyEvents(fromSnapshot(treeOf()), LOG.slice(0, count)));

function toTree({ texts, early: _early, ...state }: RunState): RunTree {
  const liveTexts = Object.entries(texts).map(([key, { text }]) => {
    const [agentRunId = "", position] = key.split(".");
    return { agentRunId, position: Number(position), text };
  });
  return { ...state, liveTexts };
}

/** Order of rows in lists is not part of the meaning. */
const sorted = (state: RunState) => ({
  ...state,
  agents: [...state.agents].sort((a, b) => a.id.localeCompare(b.id)),
  steps: [...state.steps].sort((a, b) => a.agentRunId.localeCompare(b.agentRunId) || a.position - b.position),
});

const delta = (offset: number, text: string): TextDelta => ({
  runId: RUN_ID,
  agentRunId: ROOT,
  position: 0,
  offset,
  text,
});
const textOf = (state: RunState) => state.texts[`${ROOT}.0`]?.text;
const streaming = () => applyEvents(fromSnapshot(treeOf()), LOG.slice(0, 4));

describe("run state", () => {
  it("draws totals, answer and states from the events", () => {
    const state = applyEvents(fromSnapshot(treeOf()), LOG);
    expect(state.run).toMatchObject({
      status: "completed",
      answer: "Done.",
      inputTokens: 107,
      outputTokens: 23,
      costNanoUsd: 5_000,
      unpricedCalls: 1,
      openRequests: 0,
      startedAt: at(1),
      finishedAt: at(10),
      agents: { total: 2, running: 0 },
    });
    expect(state.agents.map((agent) => [agent.inputTokens, agent.status, agent.openSteps.length])).toEqual([
      [100, "completed", 0],
      [7, "completed", 0],
    ]);
    expect(state.requests[0]).toMatchObject({
      status: "answered",
      answeredBy: "Mara",
      answeredByAgentId: null,
      answeredAt: at(9),
    });
  });

  it("ignores events it has applied", () => {
    const once = applyEvents(fromSnapshot(treeOf()), LOG);
    expect(applyEvents(once, LOG)).toBe(once);
  });

  it("ignores events of another run", () => {
    const state = fromSnapshot(treeOf());
    const foreign = LOG.map((event) => ({ ...event, runId: uuid(99) }));
    expect(applyEvents(state, foreign)).toBe(state);
  });

  it("says that it is behind while an event is missing, and catches up when it arrives", () => {
    const [first, second, third] = LOG;
    if (!first || !second || !third) throw new Error("the log is too short");
    const gap = applyEvents(fromSnapshot(treeOf()), [first, third]);
    expect(isBehind(gap)).toBe(true);
    expect(gap.lastSeq).toBe(1);
    const whole = applyEvents(gap, [second]);
    expect(isBehind(whole)).toBe(false);
    expect(whole.lastSeq).toBe(3);
  });

  it("is the same after any snapshot and any order of delivery as after the full replay", () => {
    const replayed = sorted(applyEvents(fromSnapshot(treeOf()), LOG));
    const deliveries = fc.record({
      snapshot: fc.nat({ max: LOG.length }),
      late: fc.nat({ max: LOG.length }),
      order: fc.shuffledSubarray(
        [...LOG.keys(), ...LOG.keys()].map((i) => i),
        { minLength: LOG.length * 2 },
      ),
      cuts: fc.array(fc.nat({ max: LOG.length * 2 }), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(deliveries, ({ snapshot, late, order, cuts }) => {
        const delivered = order.flatMap((i) => LOG[i] ?? []);
        const borders = [0, ...[...cuts].sort((a, b) => a - b), delivered.length];
        let state = fromSnapshot(snapshotAfter(snapshot));
        borders.forEach((end, i) => {
          state = applyEvents(state, delivered.slice(borders[i - 1] ?? 0, end));
          // A page that fell behind reads the snapshot again; it may be older or newer than what it has.
          if (i === 1) state = withSnapshot(state, snapshotAfter(late));
        });
        expect(sorted(state)).toEqual(replayed);
        expect(isBehind(state)).toBe(false);
      }),
    );
  });

  it("counts what a call used once, also while it was reserved before", () => {
    const tree = treeOf();
    const reserved = { costNanoUsd: 6_000, tokens: 200 };
    const { run } = applyEvents(fromSnapshot({ ...tree, run: { ...tree.run, reserved } }), LOG);
    expect([run.costNanoUsd, run.inputTokens + run.outputTokens]).toEqual([5_000, 130]);
    expect(run.reserved).toEqual({ costNanoUsd: 1_000, tokens: 70 });
  });

  it("takes limits from a snapshot that is late, since no event tells them", () => {
    const tree = treeOf();
    const limits = { ...tree.run.limits, maxTokens: 5_000 };
    const state = withSnapshot(applyEvents(fromSnapshot(tree), LOG), { ...tree, run: { ...tree.run, limits } });
    expect([state.lastSeq, state.run.limits.maxTokens]).toEqual([LOG.length, 5_000]);
  });

  it("does not change the state it was given", () => {
    const before = fromSnapshot(treeOf());
    const copy = structuredClone(before);
    applyEvents(before, LOG);
    expect(before).toEqual(copy);
  });

  for (const held of HELD_STATUSES) {
    it(`keeps the open steps of an agent run while it is ${held}, and forgets them when it is taken up again`, () => {
      const hold: [string, RunEventBody][] = [[ROOT, { kind: "agent.status", status: held, reason: null, at: at(5) }]];
      const still = applyEvents(streaming(), eventsOf(hold, 5));
      expect(still.agents[0]).toMatchObject({ status: held, openSteps: [{ position: 0 }], finishedAt: null });
      const goOn: [string, RunEventBody][] = [
        [ROOT, { kind: "agent.status", status: "running", reason: null, at: at(6) }],
      ];
      expect(applyEvents(still, eventsOf(goOn, 6)).agents[0]).toMatchObject({ status: "running", openSteps: [] });
    });
  }

  it("records a call that ends after its agent run was paused", () => {
    const state = applyEvents(
      streaming(),
      eventsOf(
        [
          [ROOT, { kind: "agent.status", status: "paused", reason: "paused by Mara", at: at(5) }],
          [null, { kind: "run.status", status: "paused", reason: "paused by Mara", answer: null, at: at(5) }],
          [ROOT, { kind: "step.finished", step: stepRow(ROOT, 0, { inputTokens: 100 }) }],
        ],
        5,
      ),
    );
    expect(state.run).toMatchObject({ status: "paused", inputTokens: 100, finishedAt: null });
    expect(state.agents[0]).toMatchObject({ status: "paused", openSteps: [] });
    expect(state.steps).toHaveLength(1);
  });
});

describe("streaming text", () => {
  it("appends what follows, ignores what it has, and joins what overlaps", () => {
    const state = applyDeltas(streaming(), [
      delta(0, "Dear "),
      delta(5, "Noor"),
      delta(0, "Dear "),
      delta(3, "r Noor,"),
    ]);
    expect(textOf(state)).toBe("Dear Noor,");
  });

  it("is behind while a piece is missing, and a snapshot fills the gap without losing what came after", () => {
    const gap = applyDeltas(streaming(), [delta(0, "Dear "), delta(9, ", thank"), delta(16, " you")]);
    expect(isBehind(gap)).toBe(true);
    expect(textOf(gap)).toBe("Dear ");
    const tree = { ...toTree(gap), liveTexts: [{ agentRunId: ROOT, position: 0, text: "Dear Noor, t" }] };
    const whole = withSnapshot(gap, tree);
    expect(textOf(whole)).toBe("Dear Noor, thank you");
    expect(isBehind(whole)).toBe(false);
  });

  it("keeps the longer text when an older snapshot arrives", () => {
    const state = applyDeltas(streaming(), [delta(0, "Dear Noor")]);
    const tree = { ...toTree(state), lastSeq: 2, liveTexts: [{ agentRunId: ROOT, position: 0, text: "Dear" }] };
    expect(textOf(withSnapshot(state, tree))).toBe("Dear Noor");
  });

  it("starts over when a retried call writes something else", () => {
    const state = applyDeltas(streaming(), [delta(0, "First try"), delta(0, "Second")]);
    expect(textOf(state)).toBe("Second");
  });

  it("starts over when the step begins again after a crash", () => {
    const state = applyDeltas(streaming(), [delta(0, "Dear")]);
    const again = applyEvents(state, eventsOf([[ROOT, { kind: "steps.started", steps: [openStep(0)] }]], 5));
    expect(textOf(again)).toBeUndefined();
  });

  it("is dropped when the step is recorded, and stays dropped when a late piece arrives", () => {
    const state = applyEvents(applyDeltas(streaming(), [delta(0, "Dear")]), LOG.slice(4, 5));
    expect(textOf(state)).toBeUndefined();
    expect(textOf(applyDeltas(state, [delta(4, " Noor")]))).toBeUndefined();
  });

  it("ends as the full text however pieces overlap and repeat", () => {
    const full = "We are refunding the full amount to the card you paid with.";
    const piece = fc.tuple(fc.nat({ max: full.length }), fc.nat({ max: 20 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat({ max: full.length }), (pieces, stored) => {
        const deltas = pieces.map(([from, length]) => delta(from, full.slice(from, from + length)));
        const rest = Array.from({ length: Math.ceil(full.length / 7) }, (_, i) =>
          delta(i * 7, full.slice(i * 7, i * 7 + 7)),
        );
        const state = applyDeltas(streaming(), deltas);
        const tree = { ...toTree(state), liveTexts: [{ agentRunId: ROOT, position: 0, text: full.slice(0, stored) }] };
        expect(textOf(applyDeltas(withSnapshot(state, tree), rest))).toBe(full);
      }),
    );
  });
});

describe("what a step cost nobody knows", () => {
  const silent: StepRow = {
    ...{ agentRunId: ROOT, position: 0, turn: 1, kind: "model", name: "m", status: "completed", error: null },
    ...{ startedAt: at(1), finishedAt: at(2), inputTokens: 0, outputTokens: 0, costNanoUsd: null },
    ...{ inputBytes: 0, outputBytes: 0 },
  };

  it("where its provider did not say what it used (LLM-OBS-11), and not where it failed, was copied or is no call", () => {
    expect(isUnpriced(silent)).toBe(true);
    expect(isUnpriced({ ...silent, costNanoUsd: 0 })).toBe(false);
    expect(isUnpriced({ ...silent, status: "failed" })).toBe(false);
    expect(isUnpriced({ ...silent, kind: "tool" })).toBe(false);
    expect(isUnpriced({ ...silent, reused: { inputTokens: 9, outputTokens: 9, costNanoUsd: 9 } })).toBe(false);
  });
});
