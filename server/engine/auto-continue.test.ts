import { describe, expect, test } from "vitest";
import type { ModelMessage } from "@/server/models/model";
import { answersIn, judgeAnswer } from "./auto-continue";
import type { Todo } from "./events";

const CONFIG = { autoContinue: true, maxAutoContinues: 3 };
const listOf = (continues: number, ...done: boolean[]): Todo => ({
  goal: "All",
  items: done.map((isDone, i) => ({ id: i + 1, text: `Step ${i + 1}`, done: isDone })),
  continues,
});

describe("an agent that answered", () => {
  test.each([
    ["has no list", CONFIG, null],
    ["has no item", CONFIG, listOf(0)],
    ["has ticked all", CONFIG, listOf(0, true, true)],
    ["is not to be sent on", { ...CONFIG, autoContinue: false }, listOf(0, false)],
  ])("just ends when it %s", (_, config, todo) => {
    expect(judgeAnswer(config, todo, ["Done."])).toBeNull();
  });

  test("is sent on while items are open, which is counted", () => {
    expect(judgeAnswer(CONFIG, listOf(0, true, false, false), ["So far."])).toEqual({
      do: "send_on",
      reason: "Sent on, 1 of at most 3 times, with 2 items open.",
    });
    expect(judgeAnswer(CONFIG, listOf(2, false), ["One.", "Two.", "Three."])).toMatchObject({
      do: "send_on",
      reason: "Sent on, 3 of at most 3 times, with 1 item open.",
    });
  });

  test("ends at the maximum, whatever it says", () => {
    expect(judgeAnswer(CONFIG, listOf(3, false), ["One.", "Two."])).toEqual({
      do: "end",
      reason: "It used up its continuations: sent on 3 of at most 3 times, 1 item open.",
    });
  });

  test("ends when it says the same again after it was sent on, blanks around it aside", () => {
    expect(judgeAnswer(CONFIG, listOf(1, false), ["Still at it.", " Still at it.\n"])).toEqual({
      do: "end",
      reason: "It answered the same as before: sent on 1 of at most 3 times, 1 item open.",
    });
    expect(judgeAnswer(CONFIG, listOf(1, false), ["Still at it.", "Nearly."])).toMatchObject({ do: "send_on" });
    // What it said before the list was made is no answer to having been sent on.
    expect(judgeAnswer(CONFIG, listOf(0, false), ["Hm.", "Hm."])).toMatchObject({ do: "send_on" });
  });

  test("has answered where it asked for no tools, in this agent run", () => {
    const call = { id: "call_1", name: "look", arguments: "{}" };
    const messages = new Map<number, ModelMessage>(
      [
        { role: "assistant" as const, content: "From an earlier run.", calls: [] },
        { role: "user" as const, content: "Do it." },
        { role: "assistant" as const, content: "I look.", calls: [call] },
        { role: "tool" as const, callId: "call_1", content: "{}" },
        { role: "assistant" as const, content: "First.", calls: [] },
        { role: "user" as const, content: "Go on." },
        { role: "assistant" as const, content: null, calls: [] },
      ].entries(),
    );
    const step = (
      position: number,
      kind: "model" | "tool",
      status: "completed" | "failed",
      replyMessage: number | null,
    ) => ({
      position,
      kind,
      status,
      replyMessage,
    });
    const steps = [
      step(0, "model", "completed", 2),
      step(1, "tool", "completed", 3),
      step(2, "model", "completed", 4),
      step(3, "model", "failed", null),
      step(4, "model", "completed", 6),
    ];
    expect(answersIn({ messages, steps })).toEqual(["First.", ""]);
  });
});
