"use client";

import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { useFollowEnd } from "@/components/runs/use-follow-end";

type Props = {
  text: string;
  label: string;
  /** Nothing more is written for now. */
  still?: boolean;
};

/** Text as it is written, in a box of fixed height. Plain until it ends: half a Markdown table reads worse than its source. */
export function RunStreamingText({ text, label, still }: Props) {
  const { box, atEnd, jump, onScroll } = useFollowEnd(text);
  return (
    <div className="streambox">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="stream scroll" ref={box} onScroll={onScroll} tabIndex={0} aria-label={label}>
        {text}
        {!still && <span className="caret" aria-hidden />}
      </section>
      {!atEnd && !still && (
        <Button className="jump" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={jump}>
          Jump to live
        </Button>
      )}
    </div>
  );
}
