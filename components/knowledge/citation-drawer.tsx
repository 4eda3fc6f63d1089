"use client";

import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { CitationPassage } from "./citation-passage";

type Props = { runId: string; mark: string | null; onClose: () => void };

/** The passage behind a mark, beside the answer; from below on a phone. Escape closes it and focus goes back to the mark. */
export function CitationDrawer({ runId, mark, onClose }: Props) {
  const touch = useMediaQuery("(max-width: 899px)", false, { getInitialValueInEffect: false });
  // What was shown stays while the drawer slides away.
  const [shown, setShown] = useState(mark);
  if (mark !== null && mark !== shown) setShown(mark);
  return (
    <Drawer
      opened={mark !== null}
      onClose={onClose}
      position={touch ? "bottom" : "right"}
      size={touch ? "85%" : 460}
      title="Cited passage"
      overlayProps={{ backgroundOpacity: touch ? 0.35 : 0.12 }}
      transitionProps={{ duration: 160 }}
    >
      {/* Focus begins at what was asked for, not at the way out. */}
      <div className="passage-body" tabIndex={-1} data-autofocus>
        {shown !== null && (
          <LoadBoundary
            key={shown}
            pending={<SkeletonRows rows={5} columns={["1fr"]} label="Loading the passage" />}
            failed="The passage could not be loaded"
            reassurance="The answer is not affected."
          >
            <CitationPassage runId={runId} mark={shown} onLeave={onClose} />
          </LoadBoundary>
        )}
      </div>
    </Drawer>
  );
}
