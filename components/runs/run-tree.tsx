// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's layout cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the treegrid keeps the focus and names its active row
"use client";

import "@/components/runs/run-tree.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { RequestCard } from "@/components/requests/request-card";
import type { Axis, Span } from "@/components/runs/run-axis";
import { RunBrush } from "@/components/runs/run-brush";
import type { RunRow } from "@/components/runs/run-rows";
import { RunTreeRow, rowId } from "@/components/runs/run-tree-row";
import { Splitter, useZoneWidth } from "@/components/ui/splitter";
import type { RequestView } from "@/server/engine/events";

const ROW_PX = 28;
const TOUCH_ROW_PX = 50;
const HEAD_PX = 28;
const CARD_PX = 150;
const INDENT_PX = 14;

type Props = {
  rows: readonly RunRow[];
  axis: Axis;
  nowMs: number;
  live: boolean;
  /** The run is held. */
  held: boolean;
  touch: boolean;
  selected: string | null;
  /** Only decisions are looked for. */
  lens: boolean;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
  /** A part of the time axis was drawn over. */
  onZoom: (span: Span) => void;
};

/** The run as one list of rows, of which only those on screen exist. The keys are handled by the page. */
export function RunTree({ rows, axis, nowMs, live, held, touch, selected, lens, onSelect, onToggle, onZoom }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const names = useZoneWidth({ name: "tree-names", edge: "left", usualPx: 340, leastPx: 180, mostPx: 1_200 });
  const headPx = touch ? 0 : HEAD_PX;
  const rowPx = touch ? TOUCH_ROW_PX : ROW_PX;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback((at: number) => rowPx + (openRequest(rows[at]) ? CARD_PX : 0), [rows, rowPx]),
    // The same function for the same rows: another one has all rows measured anew, at each turn of the wheel.
    getItemKey: useCallback((at: number) => rows[at]?.node.key ?? at, [rows]),
    overscan: 10,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
  });

  // The other layout has other heights, and what was measured no longer holds.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the row height changes
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);

  // Rows are drawn again only when they change, so what they call must stay the same.
  const latest = useRef({ onSelect, onToggle });
  useEffect(() => {
    latest.current = { onSelect, onToggle };
  });
  const select = useCallback((key: string) => latest.current.onSelect(key), []);
  const toggle = useCallback((key: string) => latest.current.onToggle(key), []);

  const items = virtualizer.getVirtualItems();
  const selectedAt = rows.findIndex((row) => row.node.key === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the selection, not rows that arrive above it
  useEffect(() => {
    if (selectedAt >= 0) virtualizer.scrollToIndex(selectedAt, { align: "auto" });
  }, [selected]);

  // A row that was scrolled away does not exist: nothing may refer to it.
  const isDrawn = items.some(({ index }) => index === selectedAt);

  return (
    <div
      className={`tree scroll${touch ? " touch" : ""}`}
      ref={box}
      role="treegrid"
      aria-label="Run tree"
      aria-rowcount={rows.length + 1}
      aria-colcount={6}
      aria-activedescendant={isDrawn && selected !== null ? rowId(selected) : undefined}
      tabIndex={0}
      data-run-tree
      style={{ "--names": `${names.widthPx}px` } as CSSProperties}
    >
      <TreeHead axis={axis} nowMs={nowMs} onZoom={onZoom} names={names} />
      <div role="rowgroup" className="tree-rows" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const request = openRequest(row);
          return (
            <div
              key={item.key}
              className="tslot"
              role="presentation"
              data-index={item.index}
              ref={request ? virtualizer.measureElement : undefined}
              style={{ transform: `translateY(${item.start - headPx}px)` }}
            >
              <RunTreeRow
                row={row}
                rowIndex={item.index}
                axis={axis}
                nowMs={nowMs}
                live={live}
                touch={touch}
                selected={row.node.key === selected}
                lens={lens}
                onSelect={select}
                onToggle={toggle}
              />
              {request && (
                <div className="tcard" role="row" style={{ paddingLeft: touch ? 12 : row.depth * INDENT_PX + 24 }}>
                  <div role="gridcell" data-request={request.id}>
                    <RequestCard request={request} isHeld={held} />
                  </div>
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function openRequest(row: RunRow | undefined): RequestView | null {
  const item = row?.node.item;
  return item?.type === "step" && item.request?.status === "open" && !item.step ? item.request : null;
}

type HeadProps = Pick<Props, "axis" | "nowMs" | "onZoom"> & { names: ReturnType<typeof useZoneWidth> };

function TreeHead({ axis, nowMs, onZoom, names }: HeadProps) {
  return (
    <div role="rowgroup" className="thead-group">
      <div className="trow thead" role="row" aria-rowindex={1}>
        <span role="columnheader">
          Agent runs and steps
          <Splitter label="Width of the names" zone={names} />
        </span>
        <span role="columnheader">State</span>
        <RunBrush axis={axis} nowMs={nowMs} onZoom={onZoom} />
        <span role="columnheader" className="num">
          Time
        </span>
        <span role="columnheader" className="num" title="Tokens in and out; for an agent run with everything below it">
          Tok
        </span>
        <span role="columnheader" className="num" title="What the row itself cost, in US dollars">
          Own $
        </span>
        <span role="columnheader" className="num" title="With everything below it, in US dollars">
          Tree $
        </span>
      </div>
    </div>
  );
}
