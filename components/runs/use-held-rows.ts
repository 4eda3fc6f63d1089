"use client";

import { type FocusEvent, type PointerEvent, useState } from "react";
import { holdOrder } from "./hold-order";

/**
 * Keeps a live list still while a mouse or the keyboard focus is in it. `list` names what is listed: when it changes
 * (another filter), nothing is held. Spread `holdProps` on the element that contains the rows.
 */
export function useHeldRows<T extends { id: string }>(list: string, fresh: readonly T[]) {
  const [kept, setKept] = useState({ list, rows: fresh });
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);

  const isHeld = (pointed || focused) && kept.list === list && kept.rows.length > 0;
  if (!isHeld && (kept.rows !== fresh || kept.list !== list)) setKept({ list, rows: fresh });
  const { rows, withheld } = isHeld ? holdOrder(kept.rows, fresh) : { rows: fresh, withheld: 0 };

  return {
    rows,
    withheld,
    release: () => setKept({ list, rows: fresh }),
    holdProps: {
      onPointerEnter: (event: PointerEvent) => event.pointerType === "mouse" && setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && setFocused(false),
    },
  };
}
