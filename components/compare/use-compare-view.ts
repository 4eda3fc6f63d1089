"use client";

import { useMemo, useState } from "react";
import type { RunComparison } from "@/server/runs/compare/schema";
import { readCompareLocation } from "./compare-location";
import { differencesIn, entryKey, listCompareRows, pairKey } from "./compare-rows";

/** Which rows are shown and which one is picked. The selection lives in the address; folding in the page. */
export function useCompareView({ pairs, divergence }: RunComparison) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => listCompareRows(pairs, unfolded), [pairs, unfolded]);
  const differences = useMemo(() => differencesIn(rows), [rows]);
  const firstKey =
    divergence && (divergence.entry === null ? pairKey(divergence.pair) : entryKey(divergence.pair, divergence.entry));
  const [selected, setSelected] = useState(() => selectedInAddress() ?? firstKey);
  // What a link names is shown at once; what the page itself begins with stays below the card that tells it.
  const [shows, setShows] = useState(() => (selectedInAddress() === null ? 0 : 1));
  const at = rows.findIndex(({ key }) => key === selected);

  function select(key: string) {
    setSelected(key);
    setShows((times) => times + 1);
    const params = new URLSearchParams(window.location.search);
    params.set("at", key);
    // Shallow: the page has what it needs, so the server is not asked.
    window.history.replaceState(null, "", `${window.location.pathname}?${params}`);
  }

  return {
    rows,
    differences,
    selected: rows[at] ?? null,
    /** How often a row was asked to be shown; 0: not yet. */
    shows,
    /** Which of the differences is picked, from 0; -1: none is. */
    differenceAt: differences.indexOf(selected ?? ""),
    firstKey,
    select,
    /** To the next difference, from the picked row on; there is none after the last. */
    step(by: 1 | -1) {
      const ahead = by === 1 ? rows.slice(at + 1) : rows.slice(0, Math.max(0, at)).reverse();
      const next = ahead.find((row) => "isDifference" in row && row.isDifference);
      if (next) select(next.key);
      return next !== undefined;
    },
    move(by: 1 | -1) {
      const next = rows[at === -1 ? 0 : at + by];
      if (next) select(next.key);
    },
    toggle(key: string) {
      setUnfolded((keys) => {
        const next = new Set(keys);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    },
  };
}

export type CompareViewState = ReturnType<typeof useCompareView>;

function selectedInAddress(): string | null {
  const params = new URLSearchParams(window.location.search);
  return readCompareLocation((name) => params.get(name)).at;
}
