import { describe, expect, it } from "vitest";
import { createAxis, GAP_PX, spanBeside, spanBetween } from "./run-axis";

const START = 1_000_000;
const END = START + 100_000;
const busy = [{ startMs: START, endMs: END }];
/** Worked for ten seconds, waited an hour, and worked for ten more. */
const IDLE = {
  startMs: START,
  endMs: START + 3_620_000,
  active: [
    { startMs: START, endMs: START + 10_000 },
    { startMs: START + 3_610_000, endMs: START + 3_620_000 },
  ],
};

describe("the time axis", () => {
  it("shows a part of it over the whole width, with times since the run began", () => {
    const axis = createAxis({ startMs: START, endMs: END, active: busy, zoom: { fromMs: 20_000, toMs: 60_000 } });
    expect([axis.originMs, axis.startMs, axis.endMs]).toEqual([START, START + 20_000, START + 60_000]);
    expect(axis.share(START + 40_000)).toBe(0.5);
    expect([axis.share(START), axis.share(END)]).toEqual([0, 1]);
    expect(axis.ticks.map(({ label }) => label)).toContain("0:30");
    expect(axis.shows(START, START + 19_999)).toBe(false);
    expect(axis.shows(START + 10_000, START + 30_000)).toBe(true);
    expect(axis.shows(START + 60_001, END)).toBe(false);
  });

  it("finds the instant under the pointer, across a folded gap too", () => {
    for (const zoom of [null, { fromMs: 2_000, toMs: 3_618_000 }]) {
      const axis = createAxis({ ...IDLE, zoom });
      expect(axis.gaps).toHaveLength(1);
      const width = 500;
      for (const ms of [axis.startMs, axis.startMs + 3_000, START + 3_612_000, axis.endMs]) {
        const px = axis.share(ms) * (width - GAP_PX) + (ms > START + 60_000 ? GAP_PX : 0);
        expect(Math.abs(axis.instantAt(px, width) - ms)).toBeLessThan(1);
      }
      expect(axis.instantAt(-20, width)).toBe(axis.startMs);
      expect(axis.instantAt(900, width)).toBeCloseTo(axis.endMs);
    }
  });

  it("zooms to what was drawn, whichever way, and to nothing for all of it or a slip", () => {
    const axis = createAxis({ startMs: START, endMs: END, active: busy });
    expect(spanBetween(axis, START + 50_000, START + 20_000.4, END)).toEqual({ fromMs: 20_000, toMs: 50_000 });
    expect(spanBetween(axis, START - 5, END + 5, END)).toBeNull();
    expect(spanBetween(axis, START + 10, START + 12, END)).toBeNull();
  });

  it("zooms in and out around the middle, and moves without leaving the run", () => {
    const whole = createAxis({ startMs: START, endMs: END, active: busy });
    const half = spanBeside(whole, { times: 0.5 }, END);
    expect(half).toEqual({ fromMs: 25_000, toMs: 75_000 });
    const zoomed = createAxis({ startMs: START, endMs: END, active: busy, zoom: half });
    expect(spanBeside(zoomed, { by: 0.5 }, END)).toEqual({ fromMs: 50_000, toMs: 100_000 });
    expect(spanBeside(zoomed, { by: -2 }, END)).toEqual({ fromMs: 0, toMs: 50_000 });
    expect(spanBeside(zoomed, { times: 2 }, END)).toBeNull();
  });
});
