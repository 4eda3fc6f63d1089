import type { ReactNode } from "react";

/** Text exactly as it is, in a box that scrolls inside and can be reached and scrolled by keyboard. */
export function CodeBox({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre className="code tall" tabIndex={0}>
      {children}
    </pre>
  );
}
