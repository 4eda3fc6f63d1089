"use client";

import { useState } from "react";
import { isTerminal } from "@/server/engine/state";
import type { RunComparison } from "@/server/runs/compare/schema";
import { ChangeRun } from "./change-run";
import { CompareAnswers } from "./compare-answers";
import { CompareDetails } from "./compare-details";
import { CompareFacts } from "./compare-facts";
import { CompareHead } from "./compare-head";
import { CompareNotes } from "./compare-notes";
import { CompareTree } from "./compare-tree";
import { FirstDivergence } from "./first-divergence";
import { useCompareKeys } from "./use-compare-keys";
import { useCompareView } from "./use-compare-view";

type Props = { comparison: RunComparison; rereading: boolean; onReread: () => void };

/** Facts, where they part, answers, and everything side by side. */
export function CompareView({ comparison, rereading, onReread }: Props) {
  const { left, right } = comparison;
  const view = useCompareView(comparison);
  const [page, setPage] = useState<HTMLDivElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { selected } = view;
  const open = () => {
    if (selected?.type === "stretch") view.toggle(selected.key);
    else if (selected && selected.type !== "left-out") setOpen(true);
  };
  useCompareKeys({ view, onOpen: open });

  return (
    <div className="page compare" ref={setPage}>
      <CompareHead comparison={comparison} />
      <div className="compare-body">
        <CompareNotes comparison={comparison} rereading={rereading} onReread={onReread} />
        <FirstDivergence
          comparison={comparison}
          onShow={() => {
            if (!view.firstKey) return;
            view.select(view.firstKey);
            page?.querySelector<HTMLElement>("[data-compare-tree]")?.focus({ preventScroll: true });
          }}
        />
        <CompareFacts
          left={left}
          right={right}
          change={(side) => <ChangeRun side={side} left={left} right={right} />}
        />
        {(isTerminal(left.status) || isTerminal(right.status)) && <CompareAnswers left={left} right={right} />}
        <CompareTree
          comparison={comparison}
          view={view}
          page={page}
          onOpen={(key) => {
            view.select(key);
            setOpen(true);
          }}
        />
      </div>
      <CompareDetails
        comparison={comparison}
        row={isOpen ? selected : null}
        view={view}
        onClose={() => setOpen(false)}
      />
    </div>
  );
}
