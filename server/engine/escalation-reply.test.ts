import { expect, test } from "vitest";
import type { Asked } from "@/server/requests/rules";
import { readReply } from "./escalation-reply";

const asked = (answerKind: Asked["answerKind"], ...labels: string[]): Asked => ({
  kind: "question",
  answerKind,
  options: labels.map((label) => ({ value: answerKind === "confirm" ? label.toLowerCase() : label, label })),
});
const colours = asked("several", "Red", "Green");

test("a choice takes an option, however it is written, or other words", () => {
  const choice = asked("choice", "Red", "Green");
  expect(readReply(choice, "Red")).toEqual({ answer: "Red" });
  expect(readReply(choice, " green ")).toEqual({ answer: "Green" });
  expect(readReply(choice, "  Rather blue. ")).toEqual({ answer: "Rather blue." });
  expect(readReply(choice, ["Red"])).toEqual({ whyNot: "Answer with one text, not with a list." });
  expect(readReply(choice, 7)).toEqual({ whyNot: "Answer with one text, not with a list." });
  expect(readReply(choice, " ")).toEqual({ whyNot: "Write an answer." });
  expect(readReply(asked("choice"), "x".repeat(20_001))).toEqual({ whyNot: "At most 20,000 characters." });
});

test("a confirmation is yes or no, by value or label", () => {
  const confirm = asked("confirm", "Yes", "No");
  expect(readReply(confirm, "yes")).toEqual({ answer: "yes" });
  expect(readReply(confirm, "No")).toEqual({ answer: "no" });
  expect(readReply(confirm, "perhaps")).toEqual({ whyNot: "Choose one of: Yes, No." });
  expect(readReply(confirm, { yes: true })).toEqual({ whyNot: "Choose one of: Yes, No." });
});

test("of several options the answer stays a list, also when it comes as JSON text", () => {
  expect(readReply(colours, ["green"])).toEqual({ answer: ["Green"] });
  expect(readReply(colours, '["Red", "Green"]')).toEqual({ answer: ["Red", "Green"] });
  expect(readReply(colours, "[]")).toEqual({ answer: [] });
  const list = { whyNot: "Answer with a list of those that apply, which may be empty: Red, Green." };
  expect(readReply(colours, "Red")).toEqual(list);
  expect(readReply(colours, '"Red"')).toEqual(list);
  expect(readReply(colours, [1])).toEqual(list);
  expect(readReply(colours, ["Pink"])).toEqual({ whyNot: "Choose among: Red, Green." });
  expect(readReply(colours, ["Red", "red"])).toEqual({ whyNot: "Name each option once." });
});
