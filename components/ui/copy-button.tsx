"use client";

import { Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { type Icon, IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";

type Props = {
  text: string | (() => string);
  /** What is copied: "answer", "run id". */
  what: string;
  /** Where it stands beside another. */
  icon?: Icon;
};

/** Copies a text and says so, to eyes and to screen readers. Says it too when the browser refuses. */
export function CopyButton({ text, what, icon = IconCopy }: Props) {
  const clipboard = useClipboard({ timeout: 1600 });
  const label = clipboard.error ? "The browser did not allow copying" : clipboard.copied ? "Copied" : `Copy ${what}`;
  const Glyph = clipboard.error ? IconAlertTriangle : clipboard.copied ? IconCheck : icon;
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className="icon-btn"
        aria-label={`Copy ${what}`}
        onClick={() => clipboard.copy(typeof text === "string" ? text : text())}
      >
        <Glyph size={15} stroke={1.75} aria-hidden />
        <span className="sr" role="status">
          {clipboard.copied || clipboard.error ? label : ""}
        </span>
      </button>
    </Tooltip>
  );
}
