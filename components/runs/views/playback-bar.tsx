"use client";

import { Select } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipBack, IconPlayerSkipForward } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { frameWords } from "@/components/runs/views/playback";
import { MOST_FRAMES } from "@/components/runs/views/use-frames";
import { formatCount, formatDuration } from "@/components/ui/format";
import type { Frame } from "@/server/runs/queries/inside/schema";

const SPEEDS = [2, 8, 30, 120];
/** More pictures a second are not seen: at high speeds several events go at once. */
const PICTURES_PER_SECOND = 20;

type Props = {
  frames: readonly Frame[];
  names: ReadonlyMap<string, string>;
  /** How many events are shown; null: the run as it stands. */
  at: number | null;
  startMs: number;
  isComplete: boolean;
  error: string | null;
  onRetry: () => void;
  onAt: (at: number | null) => void;
};

/** Play, pause, speed, and a scrubber over the events. */
export function PlaybackBar({ frames, names, at, startMs, isComplete, error, onRetry, onAt }: Props) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(8);
  const shown = at ?? frames.length;
  const tick = useEffectEvent(() => {
    const next = shown + Math.max(1, Math.round(speed / PICTURES_PER_SECOND));
    if (next < frames.length) return onAt(next);
    onAt(null);
    setPlaying(false);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => tick(), 1000 / Math.min(speed, PICTURES_PER_SECOND));
    return () => clearInterval(timer);
  }, [isPlaying, speed]);

  const go = (to: number) => {
    setPlaying(false);
    onAt(Math.min(Math.max(to, 0), frames.length));
  };
  const toggle = () => {
    if (!isPlaying && shown >= frames.length) onAt(0);
    setPlaying(!isPlaying);
  };
  const frame = frames[shown - 1];
  const words =
    at === null
      ? "As the run stands"
      : frame
        ? `${formatDuration(Math.max(0, frame.atMs - startMs))} · ${frameWords(frame, names)}`
        : "Before the first event";
  return (
    <section className="playback" aria-label="Playback">
      <div className="row">
        <button
          type="button"
          className="icon-btn"
          aria-label="Event before"
          disabled={shown === 0}
          onClick={() => go(shown - 1)}
        >
          <IconPlayerSkipBack size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="icon-btn"
          aria-label={isPlaying ? "Pause" : "Play"}
          disabled={frames.length === 0}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPause size={17} aria-hidden /> : <IconPlayerPlay size={17} aria-hidden />}
        </button>
        <button
          type="button"
          className="icon-btn"
          aria-label="Event after"
          disabled={shown >= frames.length}
          onClick={() => go(shown + 1)}
        >
          <IconPlayerSkipForward size={16} aria-hidden />
        </button>
      </div>
      <input
        type="range"
        className="scrubber"
        min={0}
        max={frames.length}
        value={shown}
        disabled={frames.length === 0}
        aria-label="Event"
        aria-valuetext={`Event ${shown} of ${frames.length}: ${words}`}
        onChange={(event) => go(Number(event.currentTarget.value))}
      />
      <span className="num t2 fs12 playback-count">
        {formatCount(shown)} of {formatCount(frames.length)}
      </span>
      <Select
        className="playback-speed"
        aria-label="Speed"
        data={SPEEDS.map((value) => ({ value: String(value), label: `${value} events/s` }))}
        value={String(speed)}
        allowDeselect={false}
        onChange={(value) => setSpeed(Number(value ?? 8))}
      />
      <button
        type="button"
        className="linkbtn"
        disabled={at === null}
        onClick={() => {
          setPlaying(false);
          onAt(null);
        }}
      >
        Now
      </button>
      <p className="playback-words ell">
        {error ? (
          <>
            <span className="t2">{error}</span>{" "}
            <button type="button" className="linkbtn" onClick={onRetry}>
              Try again
            </button>
          </>
        ) : (
          <>
            {words}
            {!isComplete && <span className="t3"> · loading events</span>}
            {frames.length >= MOST_FRAMES && (
              <span className="t3"> · the first {formatCount(MOST_FRAMES)} events of a longer run</span>
            )}
          </>
        )}
      </p>
    </section>
  );
}
