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

/** The time axis of a run with its idle gaps folded. Places are CSS lengths: nothing is measured. */
export type Axis = {
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
  idleMs: number;
};

export function createAxis({
  startMs,
  endMs,
  active,
}: {
  startMs: number;
  endMs: number;
  active: readonly Stretch[];
}): Axis {
  const end = Math.max(endMs, startMs + 1);
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
    startMs,
    endMs: end,
    gaps,
    idleMs,
    ticks: ticksOf({ startMs, end, gaps, shownMs, share: (ms) => place(ms).share }),
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
    if (stretch.startMs > reached) idle.push({ startMs: reached, endMs: Math.min(stretch.startMs, endMs) });
    reached = Math.max(reached, stretch.endMs ?? endMs);
  }
  if (reached < endMs) idle.push({ startMs: reached, endMs });
  const idleMs = idle.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
  const activeMs = Math.max(0, endMs - startMs - idleMs);
  const edge = Math.min(activeMs * GAP_EDGE_SHARE, SHORTEST_GAP_MS / 4);
  return idle
    .filter((gap) => gap.endMs - gap.startMs >= Math.max(SHORTEST_GAP_MS, activeMs * GAP_SHARE))
    .map((gap) => ({ startMs: gap.startMs + edge, endMs: gap.endMs - edge }));
}

type TickInput = { startMs: number; end: number; gaps: readonly Gap[]; shownMs: number; share: (ms: number) => number };

function ticksOf({ startMs, end, gaps, shownMs, share }: TickInput) {
  const fits = (seconds: number) => shownMs / (seconds * 1000) <= TICKS;
  const stepMs = (TICK_STEPS_S.find(fits) ?? Math.ceil(shownMs / TICKS / 86_400_000) * 86_400) * 1000;
  const ticks: { atMs: number; label: string }[] = [];
  let last = -1;
  const add = (atMs: number) => {
    const at = share(atMs);
    if (at - last < TICK_SPACING || at > 1 - TICK_SPACING / 2) return;
    ticks.push({ atMs, label: tickLabel(atMs - startMs, stepMs) });
    last = at;
  };
  let from = startMs;
  for (const gap of [...gaps, { startMs: end, endMs: end }]) {
    const before = gap.startMs === end ? 1 : share(gap.startMs) - TICK_SPACING;
    for (let atMs = firstTick(from, startMs, stepMs); atMs < gap.startMs; atMs += stepMs) {
      if (atMs === startMs || share(atMs) <= before) add(atMs);
    }
    from = gap.endMs;
  }
  return ticks;
}

function firstTick(fromMs: number, startMs: number, stepMs: number): number {
  return startMs + Math.ceil((fromMs - startMs) / stepMs) * stepMs;
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
