import { describe, expect, test } from "vitest";
import type { RequestView } from "@/server/engine/events";
import { type Asked, answerOffers, chosenBy, whyNotAnswer } from "./rules";

const asked = (answerKind: Asked["answerKind"], kind: RequestView["kind"], ...values: string[]): Asked => ({
  kind,
  answerKind,
  options: values.map((value) => ({ value, label: value.toUpperCase() })),
});

describe("what a request may be answered with", () => {
  test("a choice takes an option or other words, never a list", () => {
    const choice = asked("choice", "question", "red", "blue");
    expect(whyNotAnswer(choice, "red")).toBeNull();
    expect(whyNotAnswer(choice, "green")).toBeNull();
    expect(whyNotAnswer(choice, ["red"])).toBe("Answer with one text, not with a list.");
    expect(whyNotAnswer(asked("choice", "approval", "allow", "refuse"), "Ask me tomorrow.")).toBeNull();
  });

  test("of a side effect only what is offered can be said", () => {
    const uncertain = asked("choice", "uncertain_effect", "happened", "retry");
    expect(whyNotAnswer(uncertain, "retry")).toBeNull();
    expect(whyNotAnswer(uncertain, "perhaps")).toBe("Choose one of: HAPPENED, RETRY.");
    expect(whyNotAnswer(uncertain, ["retry"])).toBe("Choose one of: HAPPENED, RETRY.");
  });

  test("how a run goes on at a share of its budget is one of what is offered", () => {
    const budget = asked("choice", "budget", "go_on", "stop");
    expect(whyNotAnswer(budget, "stop")).toBeNull();
    expect(whyNotAnswer(budget, "later")).toBe("Choose one of: GO_ON, STOP.");
    expect(answerOffers(budget).map(({ key }) => key)).toEqual(["go_on", "stop"]);
  });

  test("a confirmation is yes or no", () => {
    const confirm = asked("confirm", "question", "yes", "no");
    expect(whyNotAnswer(confirm, "no")).toBeNull();
    expect(whyNotAnswer(confirm, "NO")).toBe("Choose one of: YES, NO.");
    expect(whyNotAnswer(confirm, [])).toBe("Choose one of: YES, NO.");
  });

  test("several is a list of what is offered, each once, and may be empty", () => {
    const several = asked("several", "question", "a", "b");
    expect(whyNotAnswer(several, [])).toBeNull();
    expect(whyNotAnswer(several, ["b", "a"])).toBeNull();
    expect(whyNotAnswer(several, "a")).toBe("Answer with a list of those that apply, which may be empty: A, B.");
    expect(whyNotAnswer(several, ["a", "c"])).toBe("Choose among: A, B.");
    expect(whyNotAnswer(several, ["a", "a"])).toBe("Name each option once.");
  });

  test("the decision names the options that were taken", () => {
    const options = asked("several", "question", "a", "b");
    expect(chosenBy(options, ["b", "a"])).toEqual([
      { option: "b", label: "B" },
      { option: "a", label: "A" },
    ]);
    expect(chosenBy(options, [])).toEqual([{ option: "none", label: "None of these" }]);
    expect(chosenBy(options, "Neither")).toEqual([{ option: "other", label: "Neither" }]);
  });
});
