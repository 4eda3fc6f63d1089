import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import { nextStep, type Progress } from "./next-step";

type Recorded = Progress["steps"][number];
type Record = { messages: Map<number, ModelMessage>; steps: Recorded[] };

const opening = (): Record => ({
  messages: new Map<number, ModelMessage>([
    [0, { role: "system", content: "You are Ada." }],
    [1, { role: "user", content: "Count." }],
  ]),
  steps: [],
});
const call = (id: string): ToolCall => ({ id, name: "count", arguments: "{}" });

function add(record: Record, step: Recorded): void {
  record.steps.push(step);
  record.steps.sort((a, b) => a.position - b.position);
}

function fails(record: Record, position: number): void {
  add(record, { position, kind: "model", status: "failed", replyMessage: null });
}

function replies(record: Record, position: number, text: string | null, calls: ToolCall[]): void {
  const index = record.messages.size;
  record.messages.set(index, { role: "assistant", content: text, calls });
  add(record, { position, kind: "model", status: "completed", replyMessage: index });
}

function results(
  record: Record,
  { call, position, messageIndex }: { call: ToolCall; position: number; messageIndex: number },
) {
  record.messages.set(messageIndex, { role: "tool", callId: call.id, content: `of ${call.id}` });
  add(record, { position, kind: "tool", status: "completed", replyMessage: messageIndex });
}

const next = (record: Record, maxToolRounds = 25) => nextStep({ ...record, maxToolRounds });

test("a new agent run begins with a model call at position 0", () => {
  expect(next(opening())).toEqual({ do: "call-model", position: 0, failures: 0, standIn: null });
});

test("a failed call is followed by another one at the next position, and failures in a row are counted", () => {
  const record = opening();
  fails(record, 0);
  fails(record, 1);
  expect(next(record)).toEqual({ do: "call-model", position: 2, failures: 2, standIn: null });
});

test("failures before the last reply no longer count", () => {
  const record = opening();
  fails(record, 0);
  replies(record, 1, null, [call("a")]);
  results(record, { call: call("a"), position: 2, messageIndex: 3 });
  expect(next(record)).toEqual({ do: "call-model", position: 3, failures: 0, standIn: null });
  fails(record, 3);
  expect(next(record)).toEqual({ do: "call-model", position: 4, failures: 1, standIn: null });
});

test("the calls of a reply have the positions and messages after it, and only those without a result are left", () => {
  const record = opening();
  replies(record, 0, null, [call("a"), call("b"), call("c")]);
  results(record, { call: call("b"), position: 2, messageIndex: 4 });
  expect(next(record)).toEqual({
    do: "run-calls",
    calls: [
      { call: call("a"), position: 1, messageIndex: 3 },
      { call: call("c"), position: 3, messageIndex: 5 },
    ],
  });
});

test("a reply without calls is the answer", () => {
  const record = opening();
  replies(record, 0, "Three.", []);
  expect(next(record)).toEqual({ do: "finish", text: "Three." });
});

test("at the limit of tool rounds it stops with the last text there is", () => {
  const record = opening();
  replies(record, 0, "I begin.", [call("a")]);
  results(record, { call: call("a"), position: 1, messageIndex: 3 });
  replies(record, 2, null, [call("b")]);
  expect(next(record, 2)).toMatchObject({ do: "run-calls" });
  results(record, { call: call("b"), position: 3, messageIndex: 5 });
  expect(next(record, 2)).toEqual({ do: "stop-at-limit", position: 4, text: "I begin." });
  expect(next(record, 3)).toEqual({ do: "call-model", position: 4, failures: 0, standIn: null });
});

test("a record whose reply is missing is refused, not guessed", () => {
  const record = opening();
  add(record, { position: 0, kind: "model", status: "completed", replyMessage: 7 });
  expect(() => next(record)).toThrow("message 7");
});

/** A turn of the scripted model: how often it fails first, and how many tools it then asks for. */
const script = fc.array(fc.record({ failures: fc.nat(3), calls: fc.integer({ min: 1, max: 5 }) }), { maxLength: 8 });

/** Plays the script to its end. `stopAfter` says how many calls of each round are recorded before a crash. */
function play(
  turns: { failures: number; calls: number }[],
  maxToolRounds: number,
  stopAfter: (left: number) => number,
) {
  const record = opening();
  const told: string[] = [];
  let turn = 0;
  let failed = 0;
  for (let i = 0; i < 1_000; i++) {
    // A crash may come between any two commits: nothing but the record is carried over.
    const step = nextStep({ messages: new Map(record.messages), steps: [...record.steps], maxToolRounds });
    if (step.do === "call-model") {
      expect(record.steps.some(({ position }) => position >= step.position)).toBe(false);
      expect(step.failures).toBe(failed);
      const now = turns[turn];
      if (now && failed < now.failures) {
        failed += 1;
        fails(record, step.position);
        continue;
      }
      replies(
        record,
        step.position,
        `turn ${turn}`,
        Array.from({ length: now?.calls ?? 0 }, (_, n) => call(`${turn}.${n}`)),
      );
      turn += 1;
      failed = 0;
    } else if (step.do === "run-calls") {
      for (const planned of step.calls) {
        expect(record.steps.some(({ position }) => position === planned.position)).toBe(false);
      }
      const count = Math.min(step.calls.length, Math.max(1, stopAfter(step.calls.length)));
      // In whatever order they end.
      for (const planned of step.calls.slice(-count)) {
        told.push(planned.call.id);
        results(record, planned);
      }
    } else return { record, told, end: step };
  }
  throw new Error("the script did not end");
}

test("whatever crashes come in between, the same steps are recorded, each once", () => {
  fc.assert(
    fc.property(
      script,
      fc.integer({ min: 1, max: 9 }),
      fc.infiniteStream(fc.nat(5)),
      (turns, maxToolRounds, crashes) => {
        const smooth = play(turns, maxToolRounds, (left) => left);
        const rough = play(turns, maxToolRounds, () => crashes.next().value ?? 1);
        expect(rough.record.steps).toEqual(smooth.record.steps);
        expect([...rough.record.messages].sort(([a], [b]) => a - b)).toEqual(
          [...smooth.record.messages].sort(([a], [b]) => a - b),
        );
        expect(rough.end).toEqual(smooth.end);
        expect(new Set(rough.told).size).toBe(rough.told.length);
      },
    ),
  );
});

test("messages have no gaps, and it never asks the model more often than allowed", () => {
  fc.assert(
    fc.property(script, fc.integer({ min: 1, max: 9 }), (turns, maxToolRounds) => {
      const { record, end } = play(turns, maxToolRounds, (left) => left);
      expect([...record.messages.keys()].sort((a, b) => a - b)).toEqual([...record.messages.keys()].map((_, i) => i));
      const asked = record.steps.filter(({ kind, status }) => kind === "model" && status === "completed").length;
      expect(asked).toBe(Math.min(turns.length + 1, maxToolRounds));
      expect(end.do).toBe(turns.length < maxToolRounds ? "finish" : "stop-at-limit");
    }),
  );
});

/** A summary is stored after everything else, and the messages of the next turn after it. */
function condenses(record: Record, position: number): void {
  const index = record.messages.size;
  record.messages.set(index, { role: "system", content: "Condensed." });
  add(record, { position, kind: "summary", status: "completed", replyMessage: index });
}

test("a step that condenses comes before the model call it makes room for, and neither repeats nor skips a call", () => {
  const record = opening();
  replies(record, 0, null, [call("a"), call("b")]);
  results(record, { call: call("a"), position: 1, messageIndex: 3 });
  results(record, { call: call("b"), position: 2, messageIndex: 4 });
  condenses(record, 3);
  expect(next(record)).toEqual({ do: "call-model", position: 4, failures: 0, standIn: null });
  replies(record, 4, null, [call("c")]);
  expect(next(record)).toEqual({
    do: "run-calls",
    calls: [{ call: call("c"), position: 5, messageIndex: 7 }],
  });
  results(record, { call: call("c"), position: 5, messageIndex: 7 });
  expect(next(record, 2)).toEqual({ do: "stop-at-limit", position: 6, text: "" });
  expect(next(record, 3)).toEqual({ do: "call-model", position: 6, failures: 0, standIn: null });
});

test("failures before a conversation was condensed no longer count, and one that could not be condensed changes nothing", () => {
  const record = opening();
  fails(record, 0);
  add(record, { position: 1, kind: "summary", status: "failed", replyMessage: null });
  fails(record, 2);
  expect(next(record)).toEqual({ do: "call-model", position: 3, failures: 2, standIn: null });
  condenses(record, 3);
  expect(next(record)).toEqual({ do: "call-model", position: 4, failures: 0, standIn: null });
});

test("a call that is given up to a model that stands in begins its count anew, until something is answered", () => {
  const failed = (position: number, standIn: string | null = null) => ({
    ...{ position, kind: "model" as const, status: "failed" as const, replyMessage: null, standIn },
  });
  const of = (steps: ReturnType<typeof failed>[]) =>
    nextStep({ messages: new Map([[0, { role: "user", content: "Go" }]]), steps, maxToolRounds: 5 });
  expect(of([failed(0), failed(1, "other/model")])).toMatchObject({ failures: 0, standIn: "other/model" });
  expect(of([failed(0), failed(1, "other/model"), failed(2)])).toMatchObject({ failures: 1, standIn: "other/model" });
});
