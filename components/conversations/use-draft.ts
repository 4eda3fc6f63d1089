"use client";

import { useState } from "react";

const keyOf = (id: string) => `troupe.question.${id}`;

/** What is being written, kept over reloads and after errors. Storage may be refused: then it lives as long as the page. */
export function useDraft(id: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(id));
  return [
    text,
    (next) => {
      setText(next);
      keepDraft(id, next);
    },
  ];
}

function readDraft(id: string): string {
  try {
    return window.localStorage.getItem(keyOf(id)) ?? "";
  } catch {
    return "";
  }
}

/** Empty text forgets it. */
export function keepDraft(id: string, text: string): void {
  try {
    if (text) window.localStorage.setItem(keyOf(id), text);
    else window.localStorage.removeItem(keyOf(id));
  } catch {
    // Private windows and full storage refuse; the text on screen is not affected.
  }
}
