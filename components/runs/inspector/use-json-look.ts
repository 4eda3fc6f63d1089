"use client";

import { useDeferredValue, useMemo, useState } from "react";
import {
  ENTRIES_SHOWN,
  findInJson,
  type JsonRow,
  jsonRows,
  openAtFirst,
  unfoldAll,
} from "@/components/runs/inspector/json-tree";
import { useSought } from "@/components/runs/inspector/sought";

/** How a value is unfolded: at first, by hand, and by what is looked for in the panel. */
export function useJsonLook(value: Record<string, unknown> | readonly unknown[]) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => openAtFirst(value));
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map());
  const [isCut, setCut] = useState(false);
  const sought = useDeferredValue(useSought());
  const found = useMemo(() => findInJson(value, sought), [value, sought]);
  // What was found stays unfolded until somebody folds it.
  const [unfolded, setUnfolded] = useState(found);
  if (unfolded !== found) {
    setUnfolded(found);
    if (found.open.size > 0) setOpen(new Set([...open, ...found.open]));
  }
  const rows = useMemo(() => jsonRows(value, { open, shown, found: found.found }), [value, open, shown, found]);
  return {
    rows,
    /** Not all could be unfolded. */
    isCut,
    fold: (id: string, isOpen: boolean) => {
      const next = new Set(open);
      if (isOpen) next.add(id);
      else next.delete(id);
      setOpen(next);
    },
    showMore: (row: JsonRow & { type: "more" }) => setShown(new Map(shown).set(row.parent, row.shown + ENTRIES_SHOWN)),
    foldAll: () => {
      setOpen(new Set());
      setCut(false);
    },
    unfoldAll: () => {
      const all = unfoldAll(value);
      setOpen(all.open);
      setCut(!all.isAll);
    },
  };
}
