"use client";

import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { useFollowEnd } from "@/components/runs/use-follow-end";

/** Text as it is written, in a box of fixed height. Plain until it ends: half a Markdown table reads worse than its source. */
export function RunStreamingText({ text, label }: { text: string; label: string }) {
  const { box, atEnd, jump, onScroll } = useFollowEnd(text);
  return (
    <div className="streambox">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="stream scroll" ref={box} onScroll={onScroll} tabIndex={0} aria-label={label}>
        {text}
        <span className="caret" aria-hidden />
      </section>
      {!atEnd && (
        <Button className="jump" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={jump}>
          Jump to live
        </Button>
      )}
    </div>
  );
}
