"use client";

import { Loader } from "@mantine/core";
import { useEffect } from "react";

const ASK_EVERY_MS = 1_000;

/**
 * Waits for the server to come back and loads the page anew, whatever became of it: the list says. Asking in turns is all
 * that is left here, since nobody is there to send a hint.
 */
export function Restoring({ name }: { name: string }) {
  useEffect(() => {
    const gone = new AbortController();
    void untilReady(gone.signal).then((ready) => {
      if (ready) window.location.assign("/system?tab=backups");
    });
    return () => gone.abort();
  }, []);
  return (
    <div className="restoring" role="status">
      <Loader size={24} aria-hidden />
      <h2>Restoring…</h2>
      <p>
        A backup of what was here is taken, then <span className="mono">{name}</span> is put in its place. This page
        comes back by itself when Troupe answers again.
      </p>
      <p className="t3">If it takes longer than you expect, the output of npm start says how far it is.</p>
    </div>
  );
}

/** False when the page was left meanwhile. The server says "not ready" from the moment a restore was asked for. */
async function untilReady(signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const ready = await fetch("/healthz/ready", { cache: "no-store", signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return !signal.aborted;
  }
  return false;
}
