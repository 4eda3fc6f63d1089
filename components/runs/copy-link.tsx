"use client";

import { Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconLink } from "@tabler/icons-react";

const LABEL = "Copy link to this view";

/** The link holds the selected row, the tab and the filter. */
export function useCopyLink() {
  const clipboard = useClipboard({ timeout: 1600 });
  return {
    icon: clipboard.copied ? IconCheck : IconLink,
    label: clipboard.copied ? "Copied" : LABEL,
    copied: clipboard.copied,
    copy: () => clipboard.copy(window.location.href),
  };
}

export function CopyLinkButton() {
  const { icon: Glyph, label, copied, copy } = useCopyLink();
  return (
    <Tooltip label={label}>
      <button type="button" className="icon-btn" aria-label={LABEL} onClick={copy}>
        <Glyph size={16} aria-hidden />
        <span className="sr" role="status">
          {copied ? label : ""}
        </span>
      </button>
    </Tooltip>
  );
}
