"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { type ChangedHint, type FollowHandlers, LiveConnection, type OpenStream } from "./live-connection";
import type { LiveStatus } from "./live-status";
import { throttle } from "./throttle";

/** A busy run changes many times a second; its lists are read again at most this often. */
const REFRESH_EVERY_MS = 1000;
/** A hidden tab keeps its connection this long before it lets it go. */
const HIDDEN_GRACE_MS = 60_000;

type Live = { connection: LiveConnection; status: LiveStatus };
const LiveContext = createContext<Live | null>(null);

/** Holds the tab's only subscription. Lists refresh by themselves below it; a run page adds its run. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>("connecting");
  const [connection] = useState(() => {
    const refresh = createRefresher(queryClient, trpc);
    const open: OpenStream = (input, callbacks) => {
      const subscription = client.live.follow.subscribe(input, {
        onData: (delivery) => callbacks.onData(delivery),
        onConnectionStateChange: ({ state }) => {
          if (state === "connecting") callbacks.onState("connecting");
          if (state === "pending") callbacks.onState("connected");
        },
        onError: (error) => callbacks.onEnd({ signedOut: error.data?.code === "NOT_SIGNED_IN" }),
        onStopped: () => callbacks.onEnd({ signedOut: false }),
      });
      return () => subscription.unsubscribe();
    };
    return new LiveConnection({ open, onStatus: setStatus, onChanged: refresh.after, onCaughtUp: refresh.all });
  });

  useEffect(() => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(grace);
      if (document.visibilityState === "visible") connection.wake();
      else grace = setTimeout(() => connection.sleep(), HIDDEN_GRACE_MS);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearTimeout(grace);
      document.removeEventListener("visibilitychange", follow);
      connection.stop();
    };
  }, [connection]);

  return <LiveContext value={{ connection, status }}>{children}</LiveContext>;
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("Live data is used outside LiveProvider");
  return live;
}

/** How current the screen is, for a small sign and for "Live" in a run's header. */
export function useLiveStatus(): LiveStatus {
  return useLive().status;
}

/**
 * Registers the run on screen with the tab's subscription: its events arrive once each and in order, starting after
 * `lastSeq` of the snapshot (null while that loads). Later values of `lastSeq` change nothing: the connection counts
 * for itself.
 */
export function useFollowRun(runId: string, lastSeq: number | null, handlers: FollowHandlers): void {
  const { connection } = useLive();
  const onEvent = useEffectEvent(handlers.onEvent);
  const onDelta = useEffectEvent(handlers.onDelta);
  const start = useEffectEvent(() => lastSeq ?? 0);
  const ready = lastSeq !== null;
  useEffect(() => {
    if (!ready) return;
    return connection.follow({
      runId,
      lastSeq: start(),
      handlers: { onEvent: (event) => onEvent(event), onDelta: (delta) => onDelta(delta) },
    });
  }, [connection, runId, ready]);
}

function createRefresher(queryClient: QueryClient, trpc: ReturnType<typeof useTRPC>) {
  const reread = (queryKey: readonly unknown[]) => void queryClient.invalidateQueries({ queryKey });
  const runs = throttle(() => {
    reread(trpc.runs.list.pathKey());
    reread(trpc.runs.summary.pathKey());
  }, REFRESH_EVERY_MS);
  const requests = throttle(() => {
    reread(trpc.requests.list.pathKey());
    // Runs show how many requests they have open.
    runs();
  }, REFRESH_EVERY_MS);
  return {
    after: (hint: ChangedHint) => (hint.noun === "runs" ? runs() : requests()),
    all: requests,
  };
}
