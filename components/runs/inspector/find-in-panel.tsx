"use client";

import { TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import { type RefObject, useEffect, useState } from "react";
import { findInPieces, MOST_FOUND } from "@/components/runs/inspector/find-in-text";
import { formatCount } from "@/components/ui/format";

const AFTER_CHANGE_MS = 150;

type Props = {
  panel: RefObject<HTMLElement | null>;
  sought: string;
  onSought: (sought: string) => void;
  onClose: () => void;
};

/** Searches what the panel shows, also in what is folded away: marks every place and goes from one to the next. */
export function FindInPanel({ panel, sought, onSought, onClose }: Props) {
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [at, setAt] = useState(0);

  useEffect(() => {
    const box = panel.current;
    if (!box) return;
    const look = () => setRanges(rangesOf(box, sought));
    look();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(look, AFTER_CHANGE_MS);
    });
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [panel, sought]);

  const current = ranges.length === 0 ? undefined : ranges[at % ranges.length];
  useEffect(() => {
    mark("found", ranges);
    mark("found-now", current ? [current] : []);
    return () => {
      mark("found", []);
      mark("found-now", []);
    };
  }, [ranges, current]);

  const go = (by: 1 | -1) => {
    if (ranges.length === 0) return;
    const next = (at + by + ranges.length) % ranges.length;
    setAt(next);
    const range = ranges[next];
    if (range && panel.current) show(range, panel.current);
  };
  const words =
    ranges.length === 0 ? "nothing" : `${formatCount((at % ranges.length) + 1)} of ${formatCount(ranges.length)}`;
  return (
    <search className="insp-find">
      <TextInput
        className="grow"
        aria-label="Find in the details"
        placeholder="Find in the details"
        value={sought}
        maxLength={200}
        data-autofocus
        ref={(field) => field?.focus()}
        onChange={(event) => {
          onSought(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <span className="num t2 fs12" role="status">
        {sought.trim() !== "" && words}
        {ranges.length === MOST_FOUND && " or more"}
      </span>
      <button type="button" className="icon-btn" aria-label="Found before" onClick={() => go(-1)}>
        <IconChevronUp size={15} aria-hidden />
      </button>
      <button type="button" className="icon-btn" aria-label="Found next" onClick={() => go(1)}>
        <IconChevronDown size={15} aria-hidden />
      </button>
      <button type="button" className="icon-btn" aria-label="Stop finding" onClick={onClose}>
        <IconX size={15} aria-hidden />
      </button>
    </search>
  );
}

function rangesOf(box: HTMLElement, sought: string): Range[] {
  if (sought.trim() === "") return [];
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest(".sr")) nodes.push(node);
  }
  return findInPieces(
    nodes.map(({ data }) => data),
    sought,
  ).flatMap(({ from, to }) => {
    const [first, last] = [nodes[from.piece], nodes[to.piece]];
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first, from.offset);
    range.setEnd(last, to.offset);
    return [range];
  });
}

/** Browsers that cannot mark still go from place to place. */
function mark(name: string, ranges: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/** Unfolds what it lies in and brings it into view, in boxes that scroll inside, too. */
function show(range: Range, panel: HTMLElement): void {
  const start = range.startContainer.parentElement;
  for (let fold = start?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  for (let box: HTMLElement | null = start; box; box = box === panel ? null : box.parentElement) {
    if (box.scrollHeight <= box.clientHeight) continue;
    const [place, view] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    if (place.top < view.top || place.bottom > view.bottom) box.scrollTop += place.top - view.top - view.height / 2;
  }
}
