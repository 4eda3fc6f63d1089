import { expect, test } from "vitest";
import { ChangeHints } from "./follow-changes";

const moved = (runId: string) => ({ runId, requests: false, status: true });
const progressed = (runId: string) => ({ runId, requests: false, status: false });

test("the first change is told at once, the next after 300 ms, and all between are one", () => {
  const hints = new ChangeHints();
  hints.add(moved("a"));
  expect(hints.takeDue(1_000)).toEqual([{ noun: "runs", id: "a" }]);
  for (let index = 0; index < 50; index++) hints.add(moved("a"));
  expect(hints.takeDue(1_100)).toEqual([]);
  expect(hints.dueInMs(1_100)).toBe(200);
  expect(hints.takeDue(1_300)).toEqual([{ noun: "runs", id: "a" }]);
  expect(hints.dueInMs(1_300)).toBe(Number.POSITIVE_INFINITY);
});

test("a hint names no run when several changed", () => {
  const hints = new ChangeHints();
  hints.add(moved("a"));
  hints.add(moved("b"));
  expect(hints.takeDue(0)).toEqual([{ noun: "runs", id: null }]);
});

test("progress is told every two seconds, unless something more pressing happens", () => {
  const hints = new ChangeHints();
  hints.add(progressed("a"));
  hints.takeDue(0);
  hints.add(progressed("a"));
  expect(hints.dueInMs(500)).toBe(1_500);
  hints.add(moved("a"));
  expect(hints.takeDue(500)).toEqual([{ noun: "runs", id: "a" }]);
});

test("a request changes the inbox and the list of runs", () => {
  const hints = new ChangeHints();
  hints.add({ runId: "a", requests: true, status: false });
  expect(hints.takeDue(0)).toEqual([
    { noun: "runs", id: "a" },
    { noun: "requests", id: "a" },
  ]);
});
