import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeHandoff, type PastHandoff } from "./handoffs";

const to = (from: string, agent: string, told: string): PastHandoff => ({ from, to: agent, told });
const past = [to("A", "B", "The invoice is paid."), to("B", "A", "Which invoice?")];

test("a first handoff is free, and so is one back", () => {
  expect(judgeHandoff([], to("A", "B", "x"), 10)).toBeNull();
  expect(judgeHandoff(past.slice(0, 1), to("B", "A", "The invoice is paid."), 10)).toBeNull();
  expect(judgeHandoff(past, to("A", "C", "The invoice is paid."), 10)).toBeNull();
});

test("to and fro without anything new is a circle, however it is worded again", () => {
  expect(judgeHandoff(past, to("A", "B", "The invoice is paid!"), 10)).toEqual({
    kind: "guard",
    reason: "The task goes round in a circle without anything new: A → B → A → B.",
  });
  expect(judgeHandoff(past, to("A", "B", "Paid is the INVOICE. Which?"), 10)).toMatchObject({ kind: "guard" });
  expect(judgeHandoff(past, to("A", "B", "…"), 10)).toMatchObject({ kind: "guard" });
  expect(judgeHandoff(past, to("A", "B", "It is number 4711, from March."), 10)).toBeNull();
});

test("at the limit none is made, new or not", () => {
  expect(judgeHandoff(past, to("A", "C", "Something else entirely"), 2)).toEqual({
    kind: "limit",
    reason: "2 handoffs were made, which is this team's limit.",
  });
});

test("whatever was told, agents that only repeat it are stopped before each has handed to each twice", () => {
  const told = fc.array(fc.constantFrom("red", "blue", "paid", "open", "why"), { maxLength: 6 });
  const walk = fc.array(fc.record({ next: fc.nat(2), told }), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(walk, (steps) => {
      const agents = ["A", "B", "C"];
      const made: PastHandoff[] = [];
      let at = 0;
      for (const step of steps) {
        const next = step.next === at ? (at + 1) % 3 : step.next;
        const one = to(agents[at] ?? "", agents[next] ?? "", step.told.join(" "));
        if (judgeHandoff(made, one, 1_000) !== null) continue;
        made.push(one);
        at = next;
      }
      // Six pairs; each may repeat only as long as one of the five words is new since its first time.
      expect(made.length).toBeLessThanOrEqual(6 * (1 + 5));
    }),
  );
});
