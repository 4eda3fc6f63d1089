"use client";

import { type FocusEvent, type PointerEvent, useState } from "react";

/** Whether a mouse or the keyboard focus is in an element. Spread `props` on it. */
export function usePointed() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    isPointed: pointed || focused,
    props: {
      onPointerEnter: (event: PointerEvent) => event.pointerType === "mouse" && setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && setFocused(false),
    },
  };
}
