"use client";

import { Loader } from "@mantine/core";
import { useLiveStatus } from "./live-provider";

/**
 * Says when the screen may be behind, and goes by itself. Silent while it is live: that is the normal state. It lies over
 * the page, so that nothing moves when it comes and goes.
 */
export function LiveState() {
  const status = useLiveStatus();
  return (
    <div role="status">
      {status === "reconnecting" && (
        <div className="state-bar late">
          <Loader size={14} color="currentColor" aria-hidden />
          <span>Connection lost, trying again… What you see may be old; runs go on.</span>
        </div>
      )}
    </div>
  );
}
