/** Idle stretches take this many pixels each; active time shares the rest of the width. */
export const GAP_PX = 28;

const SHORTEST_GAP_MS = 10_000;
/** A gap is folded when it is long beside the active time, so that short waits keep their true length. */
const GAP_SHARE = 0.2;
/** What stays visible of a wait on either side of the fold, as a share of the active time. */
const GAP_EDGE_SHARE = 0.02;
const TICK_STEPS_S = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
];
const TICKS = 4;
const TICK_SPACING = 0.17;

/** Half-open stretch in epoch ms; `endMs` null goes on. */
export type Stretch = { startMs: number; endMs: number | null };
type Gap = { startMs: number; endMs: number };
/** A part of a run, in whole ms after it began. */
export type Span = { fromMs: number; toMs: number };
/** Less than that is not worth a look of its own. */
const SHORTEST_SPAN_MS = 5;

/** The time axis of a run with its idle gaps folded. Places are CSS lengths: nothing is measured. */
export type Axis = {
  /** When the run began, which is before the axis where only a part is shown. */
  originMs: number;
  startMs: number;
  endMs: number;
  gaps: readonly Gap[];
  ticks: readonly { atMs: number; label: string }[];
  /** Left edge of an instant. */
  at(ms: number): string;
  /** Width of a stretch. */
  span(startMs: number, endMs: number): string;
  /** 0 to 1: how far along the active time an instant lies. */
  share(ms: number): number;
  /** Whether any of a stretch is on it. */
  shows(startMs: number, endMs: number): boolean;
  /** The instant at a distance from its left edge, of its width in pixels. */
  instantAt(px: number, widthPx: number): number;
  idleMs: number;
};

type AxisInput = { startMs: number; endMs: number; active: readonly Stretch[]; zoom?: Span | null };

/** `zoom`: only that part of it is drawn, over the whole width. */
export function createAxis({ startMs: originMs, endMs: lastMs, active, zoom }: AxisInput): Axis {
  const whole = Math.max(lastMs, originMs + 1);
  const startMs = zoom ? Math.min(originMs + zoom.fromMs, whole - 1) : originMs;
  const end = zoom ? Math.max(startMs + 1, Math.min(originMs + zoom.toMs, whole)) : whole;
  const gaps = foldedGaps(startMs, end, active);
  const idleMs = gaps.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
  const shownMs = Math.max(1, end - startMs - idleMs);
  const foldedPx = gaps.length * GAP_PX;

  const place = (ms: number) => {
    const at = Math.min(Math.max(ms, startMs), end);
    let shown = at - startMs;
    let px = 0;
    for (const gap of gaps) {
      if (at <= gap.startMs) break;
      const passed = Math.min(at, gap.endMs) - gap.startMs;
      shown -= passed;
      px += (GAP_PX * passed) / (gap.endMs - gap.startMs);
    }
    return { share: shown / shownMs, px };
  };
  const length = (share: number, px: number) =>
    foldedPx === 0
      ? `${(share * 100).toFixed(3)}%`
      : `calc((100% - ${foldedPx}px) * ${share.toFixed(5)} + ${px.toFixed(2)}px)`;

  return {
    originMs,
    startMs,
    endMs: end,
    gaps,
    idleMs,
    ticks: ticksOf({ originMs, startMs, end, gaps, shownMs, share: (ms) => place(ms).share }),
    shows: (from, to) => !zoom || (to >= startMs && from <= end),
    instantAt(px, widthPx) {
      const perMs = Math.max(1, widthPx - foldedPx) / shownMs;
      let left = Math.min(Math.max(px, 0), widthPx);
      let at = startMs;
      for (const gap of gaps) {
        const before = (gap.startMs - at) * perMs;
        if (left <= before) break;
        left -= before;
        if (left <= GAP_PX) return gap.startMs + ((gap.endMs - gap.startMs) * left) / GAP_PX;
        left -= GAP_PX;
        at = gap.endMs;
      }
      return Math.min(end, at + left / perMs);
    },
    at(ms) {
      const { share, px } = place(ms);
      return length(share, px);
    },
    span(from, to) {
      const a = place(from);
      const b = place(to);
      return length(Math.max(0, b.share - a.share), Math.max(0, b.px - a.px));
    },
    share: (ms) => place(ms).share,
  };
}

/** Stretches between `startMs` and `endMs` in which nothing worked, long enough to fold. */
function foldedGaps(startMs: number, endMs: number, active: readonly Stretch[]): Gap[] {
  const idle: Gap[] = [];
  let reached = startMs;
  for (const stretch of [...active].sort((a, b) => a.startMs - b.startMs)) {
    if (stretch.startMs > endMs) break;
    if (stretch.startMs > reached) idle.push({ startMs: reached, endMs: Math.min(stretch.startMs, endMs) });
    reached = Math.max(reached, Math.min(stretch.endMs ?? endMs, endMs));
  }
  if (reached < endMs) idle.push({ startMs: reached, endMs });
  const idleMs = idle.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
  const activeMs = Math.max(0, endMs - startMs - idleMs);
  const edge = Math.min(activeMs * GAP_EDGE_SHARE, SHORTEST_GAP_MS / 4);
  return idle
    .filter((gap) => gap.endMs - gap.startMs >= Math.max(SHORTEST_GAP_MS, activeMs * GAP_SHARE))
    .map((gap) => ({ startMs: gap.startMs + edge, endMs: gap.endMs - edge }));
}

type TickInput = {
  originMs: number;
  startMs: number;
  end: number;
  gaps: readonly Gap[];
  shownMs: number;
  share: (ms: number) => number;
};

function ticksOf({ originMs, startMs, end, gaps, shownMs, share }: TickInput) {
  const fits = (seconds: number) => shownMs / (seconds * 1000) <= TICKS;
  const stepMs = (TICK_STEPS_S.find(fits) ?? Math.ceil(shownMs / TICKS / 86_400_000) * 86_400) * 1000;
  const ticks: { atMs: number; label: string }[] = [];
  let last = -1;
  const add = (atMs: number) => {
    const at = share(atMs);
    if (at - last < TICK_SPACING || at > 1 - TICK_SPACING / 2) return;
    ticks.push({ atMs, label: tickLabel(atMs - originMs, stepMs) });
    last = at;
  };
  let from = startMs;
  for (const gap of [...gaps, { startMs: end, endMs: end }]) {
    const before = gap.startMs === end ? 1 : share(gap.startMs) - TICK_SPACING;
    for (let atMs = firstTick(from, originMs, stepMs); atMs < gap.startMs; atMs += stepMs) {
      if (atMs === startMs || share(atMs) <= before) add(atMs);
    }
    from = gap.endMs;
  }
  return ticks;
}

function firstTick(fromMs: number, originMs: number, stepMs: number): number {
  return originMs + Math.ceil((fromMs - originMs) / stepMs) * stepMs;
}

/** The part of a run between two instants; null where it is all of it, or next to nothing. */
export function spanBetween(axis: Pick<Axis, "originMs">, aMs: number, bMs: number, lastMs: number): Span | null {
  const fromMs = Math.max(0, Math.floor(Math.min(aMs, bMs) - axis.originMs));
  const toMs = Math.ceil(Math.min(Math.max(aMs, bMs), lastMs) - axis.originMs);
  if (toMs - fromMs < SHORTEST_SPAN_MS || (fromMs === 0 && toMs >= lastMs - axis.originMs)) return null;
  return { fromMs, toMs };
}

/** The span around the middle of what is shown, so many times as wide; moved by a share of its width. */
export function spanBeside(
  axis: Axis,
  { times = 1, by = 0 }: { times?: number; by?: number },
  lastMs: number,
): Span | null {
  const width = Math.max(SHORTEST_SPAN_MS, (axis.endMs - axis.startMs) * times);
  const whole = lastMs - axis.originMs;
  const middle = (axis.startMs + axis.endMs) / 2 + by * (axis.endMs - axis.startMs);
  const start = Math.min(
    Math.max(axis.originMs, middle - width / 2),
    Math.max(axis.originMs, axis.originMs + whole - width),
  );
  return spanBetween(axis, start, start + width, lastMs);
}

/** "0.5 s" under a second's step, else a clock: "2:30", "1:04:00". */
function tickLabel(ms: number, stepMs: number): string {
  if (stepMs < 1000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
