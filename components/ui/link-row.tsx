"use client";

import { useRouter } from "next/navigation";
import type { MouseEvent, ReactNode } from "react";

/** A table row that is clicked as a whole. Its name must be a real link: that is what the keyboard and others use. */
export function LinkRow({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter();
  const isOwn = (event: MouseEvent) =>
    event.target instanceof Element &&
    !event.target.closest("a, button, input, label") &&
    !window.getSelection()?.toString();
  return (
    <tr
      data-link
      onClick={(event) => {
        if (!isOwn(event)) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey) window.open(href, "_blank", "noopener");
        else router.push(href);
      }}
      onAuxClick={(event) => event.button === 1 && isOwn(event) && window.open(href, "_blank", "noopener")}
    >
      {children}
    </tr>
  );
}
