"use client";

import { useState } from "react";
import { usePointed } from "@/components/ui/use-pointed";
import { holdOrder } from "./hold-order";

/**
 * Keeps a live list still while a mouse or the keyboard focus is in it. `list` names what is listed: when it changes
 * (another filter), nothing is held. Spread `holdProps` on the element that contains the rows.
 */
export function useHeldRows<T extends { id: string }>(list: string, fresh: readonly T[]) {
  const [kept, setKept] = useState({ list, rows: fresh });
  const { isPointed, props } = usePointed();

  const isHeld = isPointed && kept.list === list && kept.rows.length > 0;
  if (!isHeld && (kept.rows !== fresh || kept.list !== list)) setKept({ list, rows: fresh });
  const { rows, withheld } = isHeld ? holdOrder(kept.rows, fresh) : { rows: fresh, withheld: 0 };

  return {
    rows,
    withheld,
    release: () => setKept({ list, rows: fresh }),
    holdProps: props,
  };
}
