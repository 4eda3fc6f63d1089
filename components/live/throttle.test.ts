import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls that come together are one, and no more than one comes in an interval", () => {
  const run = vi.fn();
  const call = throttle(run, { gatherMs: 100, intervalMs: 1000 });
  call();
  call();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(1);

  for (let ms = 0; ms < 950; ms += 50) {
    call();
    vi.advanceTimersByTime(50);
  }
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(2);

  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(2);
  call();
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(3);
});

test("what is asked for while it runs is done by another", () => {
  let asked = 0;
  const call = throttle(
    () => {
      asked++;
      if (asked === 1) call();
    },
    { gatherMs: 100, intervalMs: 1000 },
  );
  call();
  vi.advanceTimersByTime(100);
  expect(asked).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(asked).toBe(2);
});
