"use client";

import { Loader } from "@mantine/core";
import { useLiveStatus } from "./live-provider";

/** Says when the screen may be behind. Silent while it is live: that is the normal state. */
export function LiveState() {
  const status = useLiveStatus();
  return (
    <span role="status" className="live-state">
      {status === "reconnecting" && (
        <>
          <Loader size={12} color="currentColor" aria-hidden />
          <span>
            Reconnecting<span className="hide-m">, what you see may be old</span>
          </span>
        </>
      )}
      {status === "signed-out" && (
        // A full load, so that the gate of the page sends the reader to sign in and back.
        <button type="button" className="linkbtn" onClick={() => window.location.reload()}>
          Signed out. Sign in again
        </button>
      )}
    </span>
  );
}
