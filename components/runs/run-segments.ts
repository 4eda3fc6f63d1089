import type { Stretch } from "@/components/runs/run-axis";

export const SEGMENT_KINDS = ["children", "queued", "waiting", "tool", "retrieval", "model", "failed"] as const;
/** What a piece of a bar stands for. `children`: an agent run that only waits for agents it started. */
export type SegmentKind = (typeof SEGMENT_KINDS)[number];
export type Segment = Stretch & { kind: SegmentKind };

const MAX_SEGMENTS = 120;

/**
 * Joins neighbours of one kind and sorts so that the telling kinds lie on top where work overlapped. A long agent run
 * has thousands of steps; a bar 150 px wide shows about a hundred, so the smallest pauses between equal kinds close first.
 */
export function joinSegments(segments: readonly Segment[], limit = MAX_SEGMENTS): Segment[] {
  let joined = joinCloserThan(segments, 1);
  if (joined.length <= limit) return joined;
  const starts = segments.map((segment) => segment.startMs);
  const first = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  for (let pauseMs = Math.max(1, (last - first) / 1000); joined.length > limit; pauseMs *= 2) {
    joined = joinCloserThan(segments, pauseMs);
    if (pauseMs > last - first) break;
  }
  return joined;
}

function joinCloserThan(segments: readonly Segment[], pauseMs: number): Segment[] {
  return SEGMENT_KINDS.flatMap((kind) => {
    const joined: Segment[] = [];
    const ofKind = segments.filter((segment) => segment.kind === kind).sort((a, b) => a.startMs - b.startMs);
    for (const segment of ofKind) {
      const before = joined.at(-1);
      if (before && (before.endMs === null || segment.startMs - before.endMs <= pauseMs)) {
        before.endMs = before.endMs === null || segment.endMs === null ? null : Math.max(before.endMs, segment.endMs);
      } else joined.push({ ...segment });
    }
    return joined;
  });
}
