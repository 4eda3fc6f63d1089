import { describe, expect, it } from "vitest";
import type { DecisionRow } from "@/server/engine/events";
import { carrierOf, outcomeOf } from "./decision-outcome";
import { agentRow, decisionRow, openStep, stepRow, uuid } from "./run-test-log";

const OWNER = uuid(10);
const CHILD = uuid(11);
const choice = (option: string, position: number | null) => ({ option, label: option, position, reason: null });
const call = (...positions: number[]): DecisionRow =>
  decisionRow(uuid(20), OWNER, { chosen: positions.map((position) => choice("search", position)) });
const delegation = decisionRow(uuid(20), OWNER, {
  chosen: [choice("agent:Searcher", 1), choice("agent:Searcher", 2)],
});
const none = () => undefined;
const steps =
  (...rows: ReturnType<typeof stepRow>[]) =>
  (position: number) =>
    rows.find((row) => row.position === position);

describe("what came of a decision", () => {
  it("is nothing where no step carries it out", () => {
    const answer = decisionRow(uuid(20), OWNER, { chosen: [choice("short", null)] });
    expect(outcomeOf(answer, { started: [], owner: agentRow(OWNER), stepAt: none })).toBe("nothing");
  });

  it("is good when all that carried it out completed, and bad when one of them did not", () => {
    const well = { started: [], owner: agentRow(OWNER), stepAt: steps(stepRow(OWNER, 1), stepRow(OWNER, 2)) };
    expect(outcomeOf(call(1, 2), well)).toBe("completed");
    const aborted = steps(stepRow(OWNER, 1), stepRow(OWNER, 2, { status: "aborted" }));
    expect(outcomeOf(call(1, 2), { ...well, stepAt: aborted })).toBe("failed");
  });

  it("is open while a call goes on, and no longer once the agent run is over", () => {
    const openSteps = [openStep(1)];
    const going = { started: [], owner: agentRow(OWNER, { status: "running", openSteps }), stepAt: none };
    expect(outcomeOf(call(1), going)).toBe("open");
    expect(outcomeOf(call(1), { ...going, owner: agentRow(OWNER, { status: "aborted", openSteps }) })).toBe("nothing");
  });

  it("counts the agent runs it started, whatever became of the calls that started them", () => {
    const started = [agentRow(CHILD, { name: "Searcher", status: "failed" })];
    const stepAt = steps(stepRow(OWNER, 1), stepRow(OWNER, 2));
    expect(outcomeOf(delegation, { started, owner: agentRow(OWNER), stepAt })).toBe("failed");
    const working = [agentRow(CHILD, { name: "Searcher", status: "running" })];
    expect(outcomeOf(delegation, { started: working, owner: agentRow(OWNER), stepAt })).toBe("open");
  });
});

describe("what carried a choice out", () => {
  it("is the child of its place among choices of the same agent", () => {
    const started = [CHILD, uuid(12)].map((id) => agentRow(id, { name: "Searcher", status: "completed" }));
    const of = { started, owner: agentRow(OWNER), stepAt: none };
    expect(carrierOf(delegation, 1, of)).toMatchObject({ agentRunId: uuid(12), position: null });
  });

  it("waits where its call waits for a person, and is held with its agent run all the same", () => {
    const owner = agentRow(OWNER, { status: "waiting", openSteps: [openStep(1, { kind: "human" }), openStep(2)] });
    const of = { started: [], owner, stepAt: none, waitsAt: (position: number) => position === 1 };
    expect(carrierOf(call(1, 2), 0, of)?.status).toBe("waiting");
    expect(carrierOf(call(1, 2), 1, of)?.status).toBe("running");
    expect(carrierOf(call(1), 0, { ...of, owner: { ...owner, status: "paused" } })?.status).toBe("paused");
  });

  it("is the call itself where no child began, held with its agent run", () => {
    const owner = agentRow(OWNER, { status: "paused", openSteps: [openStep(1)] });
    expect(carrierOf(call(1), 0, { started: [], owner, stepAt: none })).toEqual({
      ...{ agentRunId: OWNER, position: 1, status: "paused", reason: null },
    });
  });
});
