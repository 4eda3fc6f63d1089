// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's layout cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the treegrid keeps the focus and names its active row
"use client";

import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatCount } from "@/components/ui/format";
import type { RunComparison } from "@/server/runs/compare/schema";
import { CompareTreeRow, compareRowId } from "./compare-tree-row";
import type { CompareViewState } from "./use-compare-view";

const ROW_PX = 28;
/** What lies over the list while it scrolls. */
const BAR_PX = 40;

type Props = {
  comparison: RunComparison;
  view: CompareViewState;
  /** What scrolls; null until it is there. */
  page: HTMLElement | null;
  onOpen: (key: string) => void;
};

/** Both runs as one list of rows, of which only those on screen exist. The keys are handled by the page. */
export function CompareTree({ comparison, view, page, onOpen }: Props) {
  const { rows, selected, differences, differenceAt } = view;
  const list = useRef<HTMLDivElement>(null);
  const [topPx, setTopPx] = useState(0);
  // What lies above has its height from the answers and reasons, which may fold and unfold.
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box && page) setTopPx(Math.round(box.top - page.getBoundingClientRect().top + page.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const above of page?.querySelectorAll(".compare-body > *") ?? []) observer.observe(above);
    return () => observer.disconnect();
  }, [page]);

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => page,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
    scrollMargin: topPx,
    scrollPaddingStart: BAR_PX,
  });

  const items = virtualizer.getVirtualItems();
  const selectedAt = rows.findIndex(({ key }) => key === selected?.key);
  // A row that was scrolled away does not exist: nothing may refer to it.
  const isDrawn = items.some(({ index }) => index === selectedAt);
  const isPlaced = topPx > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is asked for, not rows that are unfolded above it
  useEffect(() => {
    if (isPlaced && view.shows > 0 && selectedAt >= 0) virtualizer.scrollToIndex(selectedAt, { align: "center" });
  }, [view.shows, isPlaced]);

  return (
    <section className="compare-tree" aria-label="Side by side">
      <header className="compare-bar">
        <h2>Side by side</h2>
        <span className="grow" />
        {differences.length > 0 && (
          <>
            <span className="t2 fs12 num" role="status">
              {differenceAt === -1
                ? `${formatCount(differences.length)} that differ`
                : `${formatCount(differenceAt + 1)} of ${formatCount(differences.length)} that differ`}
            </span>
            <button type="button" className="icon-btn" aria-label="Previous difference" onClick={() => view.step(-1)}>
              <IconArrowUp size={15} aria-hidden />
            </button>
            <button type="button" className="icon-btn" aria-label="Next difference" onClick={() => view.step(1)}>
              <IconArrowDown size={15} aria-hidden />
            </button>
          </>
        )}
      </header>
      <div
        role="treegrid"
        aria-label="Both runs, side by side"
        aria-rowcount={rows.length}
        aria-activedescendant={isDrawn && selected ? compareRowId(selected.key) : undefined}
        tabIndex={0}
        ref={list}
        className="compare-rows"
        style={{ height: virtualizer.getTotalSize() }}
        data-compare-tree
      >
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <div
              key={item.key}
              role="presentation"
              className="compare-slot"
              data-index={item.index}
              ref={virtualizer.measureElement}
              style={{ transform: `translateY(${item.start - topPx}px)` }}
            >
              <CompareTreeRow
                row={row}
                rowIndex={item.index}
                selected={row.key === selected?.key}
                onToggle={view.toggle}
                onOpen={onOpen}
              />
            </div>
          );
        })}
      </div>
      {comparison.pairs.length === 0 && <p className="t2 compare-none">Nothing is recorded in either run yet.</p>}
    </section>
  );
}
