import { expect, test } from "vitest";
import { daysFrom } from "./days-from";
import { dayWord, endWord, keyWord, shareWord } from "./spending-words";

test("what has no name of its own is told in words", () => {
  expect(keyWord("team", "?", null)).toBe("No team");
  expect(keyWord("conversation", "?", null)).toBe("Outside conversations");
  expect(keyWord("agent", "x", "Desk lead")).toBe("Desk lead");
  expect(keyWord("model", "openai/gpt-4o", null)).toBe("openai/gpt-4o");
  expect(keyWord("model", "?/vendor/large", null)).toBe("vendor/large");
  expect(keyWord("provider", "?", null)).toBe("Not recorded");
  expect(keyWord("tools", "?", null)).toBe("Not recorded: no answer");
  expect(keyWord("tools", "ab", "")).toBe("No tools");
  expect(keyWord("day", "2026-11-03", null)).toBe("3 Nov 2026");
});

test("a day of UTC is the same day for everybody", () => {
  expect(dayWord("2026-01-01")).toBe("1 Jan 2026");
});

test("how a call ended, in words where there are some", () => {
  const word = (status: "answered" | "failed" | "stopped", finishReason: string | null, errorCode: string | null) =>
    endWord({ status, finishReason, errorCode });
  expect(word("answered", "tool_calls", null)).toBe("Asked for tools");
  expect(word("answered", "end_turn", null)).toBe("end_turn");
  expect(word("answered", null, null)).toBe("Answered");
  expect(word("failed", null, "rate_limited")).toBe("Failed: rate_limited");
  expect(word("stopped", null, null)).toBe("Stopped");
});

test("a share that is there is not told as none, nor as all", () => {
  expect([0, 0.001, 0.124, 0.999, 1].map(shareWord)).toEqual(["0 %", "<1 %", "12 %", ">99 %", "100 %"]);
});

test("a chart has a bar for each day, of a very long period the newest", () => {
  expect(daysFrom({ from: "2026-02-27", to: "2026-03-02" })).toEqual([
    ...["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"],
  ]);
  expect(daysFrom({ from: "2020-01-01", to: "2026-03-02" }, 3)).toEqual(["2026-02-28", "2026-03-01", "2026-03-02"]);
});
