import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelMessage, ToolCall } from "@/server/models/model";
import { callHash, callsBefore, judgeCall, type RepeatLimits, repeatLimits } from "./loop-guard";

const ROOT: RepeatLimits = { calls: 2, rounds: 3 };

const callOf = (name: string, args: unknown = {}): ToolCall => ({
  id: "call",
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args),
});

/** Verdicts on all calls of turns, each a list of calls; as the engine gives them. */
function judged(turns: ToolCall[][], limits = ROOT, result = "{}"): string[][] {
  const messages = new Map<number, ModelMessage>([[0, { role: "user", content: "Do it." }]]);
  return turns.map((calls) => {
    const reply = messages.size;
    messages.set(reply, { role: "assistant", content: null, calls });
    const verdicts = calls.map((call, i) => judgeCall(call, callsBefore(messages, reply + 1 + i), limits).do);
    for (const [i, call] of calls.entries())
      messages.set(reply + 1 + i, { role: "tool", callId: call.id, content: result });
    return verdicts;
  });
}

const inTurn = (...calls: ToolCall[]) => calls.map((call) => [call]);
const verdicts = (calls: ToolCall[], limits = ROOT) => judged(inTurn(...calls), limits).flat();
const times = (count: number, ...calls: ToolCall[]) => Array.from({ length: count }, () => calls).flat();

describe("the guard against loops", () => {
  test("refuses the call after as many equal ones as are allowed, and then asks", () => {
    const look = callOf("look", { at: "x" });
    expect(verdicts(times(5, look))).toEqual(["run", "run", "refuse", "ask", "ask"]);
    expect(verdicts(times(6, look), { calls: 4, rounds: 10 })).toEqual(["run", "run", "run", "run", "refuse", "ask"]);
  });

  test("counts calls in a row: another one in between begins anew", () => {
    const look = callOf("look");
    const other = callOf("other");
    expect(verdicts([look, look, other, look, look, look])).toEqual(["run", "run", "run", "run", "run", "refuse"]);
    expect(verdicts([look, callOf("look", { page: 2 }), look, callOf("look", { page: 3 }), look])).not.toContain(
      "refuse",
    );
  });

  test("takes arguments for the same in any order and with any reason, and text that is no JSON as it is", () => {
    const ways = [
      callOf("look", '{"a":1,"b":{"c":[1,2],"d":2}}'),
      callOf("look", '{ "b": {"d":2, "c":[1, 2]}, "a":1, "reason":"Once more." }'),
      callOf("look", { reason: "And again.", a: 1, b: { c: [1, 2], d: 2 } }),
    ];
    expect(verdicts(ways)).toEqual(["run", "run", "refuse"]);
    expect(verdicts([callOf("look", ""), callOf("look", "{}"), callOf("look", { reason: "?" })])).toContain("refuse");
    expect(verdicts([callOf("look", "[1, 2]"), callOf("look", "[1,2]"), callOf("look", "[2,1]")])).not.toContain(
      "refuse",
    );
    expect(verdicts(times(3, callOf("look", "{not json")))).toEqual(["run", "run", "refuse"]);
    expect(verdicts([callOf("look", "{not json"), callOf("look", "{not json"), callOf("look", "{ not json")])).toEqual([
      "run",
      "run",
      "run",
    ]);
    // A reason below the top is an argument like any other.
    expect(verdicts([1, 2, 3].map((reason) => callOf("look", { at: { reason } })))).toEqual(["run", "run", "run"]);
  });

  test("refuses what goes on an alternation of two calls after three rounds, and then asks, whichever comes", () => {
    const a = callOf("read");
    const b = callOf("write", { line: 1 });
    expect(verdicts([...times(3, a, b), a, b, a])).toEqual([...Array(6).fill("run"), "refuse", "ask", "ask"]);
    expect(verdicts([...times(3, a, b), callOf("read", { page: 2 })])).not.toContain("refuse");
    expect(verdicts(times(4, a, b, callOf("third")))).not.toContain("refuse");
    const below = repeatLimits({ maxRepeatedCalls: null }, false);
    expect(verdicts(times(11, a, b), below).indexOf("refuse")).toBe(20);
  });

  test("within one turn refuses all that repeat: their agent has not been told yet", () => {
    const look = callOf("look");
    expect(judged([times(4, look)])).toEqual([["run", "run", "refuse", "refuse"]]);
    expect(judged([times(2, look), times(2, look), times(2, look)])).toEqual([
      ["run", "run"],
      ["refuse", "refuse"],
      ["ask", "refuse"],
    ]);
    const pair = [callOf("read"), callOf("write")];
    expect(judged(Array.from({ length: 5 }, () => pair)).slice(3)).toEqual([
      ["refuse", "refuse"],
      ["ask", "refuse"],
    ]);
  });

  test("lets questions to people be, also when they alternate with something", () => {
    const ask = callOf("user__ask", { question: "Now?" });
    expect(verdicts(times(5, ask))).not.toContain("refuse");
    expect(verdicts(times(8, ask, callOf("look")))).not.toContain("refuse");
  });

  test("lets an agent wait on for another whose wait was cut short by a question, and guards other ways to look", () => {
    const pending = '{"status":"pending","id":"agent_x"}';
    const collects = inTurn(...times(6, callOf("agent__collect", { id: "agent_x" })));
    expect(judged(collects, ROOT, pending).flat()).toEqual(Array(6).fill("run"));
    expect(judged(collects, ROOT, '{"tool_call_error":"already collected"}').flat()).toContain("refuse");
    const checks = inTurn(...times(3, callOf("agent__check", { id: "agent_x" })));
    expect(judged(checks, ROOT, pending).flat()).toEqual(["run", "run", "refuse"]);
  });

  test("allows two equal calls at the root, four below it, or what the agent's configuration says", () => {
    expect(repeatLimits({ maxRepeatedCalls: null }, true)).toEqual({ calls: 2, rounds: 3 });
    expect(repeatLimits({ maxRepeatedCalls: null }, false)).toEqual({ calls: 4, rounds: 10 });
    expect(repeatLimits({ maxRepeatedCalls: 1 }, true)).toEqual({ calls: 1, rounds: 3 });
    expect(repeatLimits({ maxRepeatedCalls: 50 }, false)).toEqual({ calls: 50, rounds: 50 });
  });

  test("never stops calls that all differ, and always stops one that repeats for ever", () => {
    const some = fc.array(fc.record({ name: fc.constantFrom("a", "b"), x: fc.nat(3) }), { maxLength: 20 });
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 5 }), (picked, calls) => {
        const limits = { calls, rounds: 3 };
        const different = picked.map(({ name, x }, i) => callOf(name, { x, i }));
        expect(new Set(verdicts(different, limits))).toEqual(new Set(different.length ? ["run"] : []));
        const last = callOf("for ever");
        const end = verdicts([...different, ...times(calls + 2, last)], limits).slice(different.length);
        expect(end).toEqual([...Array(calls).fill("run"), "refuse", "ask"]);
      }),
    );
  });

  test("a call has one hash however it is written, and another for another agent, tool or argument", () => {
    const look = callOf("look", { a: 1, b: 2 });
    expect(callHash("Ada", look)).toMatch(/^[0-9a-f]{64}$/);
    expect(callHash("Ada", callOf("look", '{"b": 2, "a": 1, "reason": "Why not."}'))).toBe(callHash("Ada", look));
    const others = [
      callHash("Ida", look),
      callHash("Ada", callOf("see", { a: 1, b: 2 })),
      callHash("Ada", callOf("look", { a: 1, b: 3 })),
    ];
    expect(new Set([...others, callHash("Ada", look)]).size).toBe(4);
  });
});
