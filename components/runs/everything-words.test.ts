import { expect, test } from "vitest";
import { doneWords, stopQuestion } from "./everything-words";

test("what came of pausing, resuming and stopping everything counts the runs", () => {
  expect(doneWords("pauseAll", 3)).toBe("3 runs are paused. New runs are refused until somebody resumes everything.");
  expect(doneWords("pauseAll", 0)).toMatch(/^Nothing was at work\. New runs are refused/);
  expect(doneWords("resumeAll", 1)).toBe("1 run goes on. New runs can be started.");
  expect(doneWords("stopAll", 1)).toBe("1 run was stopped.");
});

test("the question before stopping everything names how many runs end", () => {
  expect(stopQuestion(1)).toMatch(/^1 run is at work, waits or is on hold\. It ends now\. /);
  expect(stopQuestion(12)).toMatch(/^12 runs are at work, wait or are on hold\. All of them end now\. /);
});
