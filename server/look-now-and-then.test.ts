import { afterEach, expect, test, vi } from "vitest";
import { logger } from "./logger";
import { lookNowAndThen } from "./look-now-and-then";

afterEach(() => vi.restoreAllMocks());

const HOUR_MS = 3_600_000;

/** A look that lasts until it is let go. */
function heldLook() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  return {
    ends,
    signals,
    look: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signals.push(signal);
        ends.push(resolve);
      }),
  };
}

test("it looks at once, and again and again", async () => {
  let count = 0;
  const looks = lookNowAndThen({ everyMs: 1, failed: "it failed" }, async () => {
    count += 1;
  });
  expect(count).toBe(1);
  await expect.poll(() => count).toBeGreaterThan(3);
  await looks.close();
});

test("of two looks the second begins after the first; told meanwhile any number of times, it looks once more", async () => {
  const { look, ends } = heldLook();
  const looks = lookNowAndThen({ everyMs: HOUR_MS, failed: "it failed" }, look);
  looks.wake();
  looks.wake();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  looks.wake();
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await looks.close();
});

test("closing tells the look under way, waits for it, and begins no other", async () => {
  const { look, ends, signals } = heldLook();
  const looks = lookNowAndThen({ everyMs: 1, failed: "it failed" }, look);
  looks.wake();
  let isClosed = false;
  const closed = looks.close().then(() => {
    isClosed = true;
  });
  expect(signals[0]?.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  ends[0]?.();
  await closed;
  looks.wake();
  expect(ends).toHaveLength(1);
});

test("a look that fails is logged, and the next one is tried", async () => {
  const warned = vi.spyOn(logger, "warn").mockImplementation(() => {});
  let count = 0;
  const looks = lookNowAndThen({ everyMs: 1, failed: "it failed" }, async () => {
    count += 1;
    if (count === 1) throw new Error("away");
  });
  await expect.poll(() => count).toBeGreaterThan(1);
  await looks.close();
  expect(warned.mock.calls.map(([, says]) => says)).toEqual(["it failed"]);
});
