import { describe, expect, test } from "vitest";
import { messagesAtCut, type StepAtCut, type Talk } from "./messages-at-cut";

const step = (position: number, sent: number | null, reply: number | null, isKept = true): StepAtCut => ({
  ...{ position, sent, reply, isKept },
});
/** s: system, u: user, a: assistant, t: result. */
const talk = (roles: string, steps: StepAtCut[], also: Partial<Talk> = {}): number[] =>
  messagesAtCut({
    messages: [...roles].map((role, index) => ({
      index,
      role: ({ s: "system", u: "user", a: "assistant", t: "tool" } as const)[role] ?? "user",
    })),
    ...{ steps, phases: { all: 0, kept: 0 }, sentOn: [] },
    ...also,
  });

describe("messages of an agent run at a cut", () => {
  test("go with the steps that replied them, also where a later call of the turn was recorded first", () => {
    expect(talk("suatt", [step(0, 2, 2), step(1, null, 3, false), step(2, null, 4)])).toEqual([0, 1, 2, 4]);
    expect(talk("suatt", [step(0, 2, 2, false), step(1, null, 3, false), step(2, null, 4, false)])).toEqual([]);
  });

  test("what people said is there once the call that was sent it is", () => {
    const said = (isKept: boolean) => talk("suatua", [step(0, 2, 2), step(1, null, 3), step(2, 5, 5, isKept)]);
    expect(said(false)).toEqual([0, 1, 2, 3]);
    expect(said(true)).toEqual([0, 1, 2, 3, 4, 5]);
    // A call that failed was sent it as well.
    expect(talk("suatu", [step(0, 2, 2), step(1, null, 3), step(2, 5, null)])).toEqual([0, 1, 2, 3, 4]);
  });

  test("what sent an agent on is there with the decision that says so", () => {
    const steps = [step(0, 2, 2), step(1, 4, 4, false)];
    expect(talk("suaua", steps)).toEqual([0, 1, 2]);
    expect(talk("suaua", steps, { sentOn: [0] })).toEqual([0, 1, 2, 3]);
  });

  test("what was said before in a conversation stays with the task, as a fork belongs to none", () => {
    expect(talk("suauaua", [step(0, 6, 6, false)])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("a phase that the engine gave out is there with its decision, results with their parts", () => {
    const steps = [step(0, 3, 3), step(1, 5, 5, false)];
    expect(talk("suatat", steps, { phases: { all: 2, kept: 1 } })).toEqual([0, 1, 2, 3]);
    expect(talk("suatat", steps, { phases: { all: 2, kept: 2 } })).toEqual([0, 1, 2, 3, 4]);
  });
});
