"use client";

import { useState } from "react";
import { NOTHING_PICKED, pickLoaded, pickRow, type RunSelection } from "./run-selection";

/** Rows picked in a list. `list` names what is listed: another filter picks nothing. */
export function useRunSelection(list: string, order: readonly string[]) {
  const [kept, setKept] = useState<RunSelection & { list: string }>({ list, ...NOTHING_PICKED });
  const selection = kept.list === list ? kept : NOTHING_PICKED;
  const set = (next: RunSelection) => setKept({ list, ...next });
  return {
    picked: selection.picked,
    pick: (id: string, reach: boolean) => set(pickRow(selection, order, { id, reach })),
    pickLoaded: () => set(pickLoaded(selection, order)),
    pickAll: (ids: readonly string[]) => set({ picked: new Set(ids), anchor: null }),
    clear: () => set(NOTHING_PICKED),
  };
}
export type RunPicks = ReturnType<typeof useRunSelection>;
