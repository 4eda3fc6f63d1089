"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from "react";
import { getAccess, useAccess } from "@/components/trpc/access";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { refusalCodeOf } from "@/components/trpc/refusals";
import { tryAgainEverywhere } from "@/components/ui/try-again";
import type { ChangedNoun } from "@/server/runs/live-schema";
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
    // A changed password ends the stream of the tab that changed it too, though that has a new session: the server says.
    const mayStillRead = async (error: unknown) => {
      const code = refusalCodeOf(error);
      if (code !== "NOT_SIGNED_IN" && code !== "NOT_ALLOWED") return true;
      await queryClient.fetchQuery({ ...trpc.workspace.me.queryOptions(), staleTime: 0 }).catch(() => {});
      return getAccess() === "open";
    };
    const open: OpenStream = (input, callbacks) => {
      const subscription = client.live.follow.subscribe(input, {
        onData: (delivery) => callbacks.onData(delivery),
        onConnectionStateChange: ({ state, error }) => {
          if (state === "connecting") callbacks.onState(error ? "lost" : "connecting");
          if (state === "pending") callbacks.onState("connected");
        },
        onError: (error) => void mayStillRead(error).then((may) => callbacks.onEnd({ signedOut: !may })),
        onStopped: () => callbacks.onEnd({ signedOut: false }),
      });
      return () => subscription.unsubscribe();
    };
    return new LiveConnection({ open, onStatus: setStatus, onChanged: refresh.after, onCaughtUp: refresh.all });
  });

  const isOpen = useAccess() === "open";
  useEffect(() => {
    if (!isOpen) return;
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
  }, [connection, isOpen]);

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

/** What to read again when something of a noun changed, in this tab or in another person's. */
function createRefresher(queryClient: QueryClient, trpc: ReturnType<typeof useTRPC>) {
  const reread = (queryKey: readonly unknown[]) => void queryClient.invalidateQueries({ queryKey });
  const runs = throttle(() => {
    reread(trpc.runs.list.pathKey());
    reread(trpc.runs.summary.pathKey());
    // A turn is a run.
    reread(trpc.conversations.pathKey());
    // What came of a decision moves with its run.
    reread(trpc.decisions.get.pathKey());
  }, REFRESH_EVERY_MS);
  const requests = throttle(() => {
    reread(trpc.requests.list.pathKey());
    // Runs show how many requests they have open.
    runs();
  }, REFRESH_EVERY_MS);
  const documents = throttle(() => {
    // What is found by a search or cited stays as it was asked for.
    for (const read of ["bases", "base", "documents", "document", "chunks"] as const) {
      reread(trpc.knowledge[read].pathKey());
    }
    reread(trpc.conversations.get.pathKey());
  }, REFRESH_EVERY_MS);
  const slowly = (...keys: (readonly unknown[])[]) => throttle(() => keys.forEach(reread), REFRESH_EVERY_MS);
  const refresh: Record<ChangedNoun, () => void> = {
    runs,
    requests,
    documents,
    // A team shows its agents' names, and either can be asked and run.
    agents: slowly(trpc.agents.pathKey(), trpc.teams.pathKey(), trpc.runs.targets.pathKey()),
    teams: slowly(trpc.teams.pathKey(), trpc.runs.targets.pathKey()),
    knowledge: documents,
    conversations: slowly(trpc.conversations.pathKey()),
    decisions: slowly(trpc.decisions.pathKey()),
    // Runs are found by what is said of their answers.
    feedback: slowly(trpc.feedback.pathKey(), trpc.runs.list.pathKey()),
    finding: slowly(trpc.finding.get.pathKey()),
    // Its cost goes by the price.
    providers: slowly(trpc.providers.pathKey(), trpc.workspace.me.pathKey(), trpc.finding.get.pathKey()),
    toolServers: slowly(trpc.toolServers.pathKey(), trpc.agents.tools.pathKey()),
    tracing: slowly(trpc.tracing.pathKey()),
    usage: slowly(trpc.usage.pathKey()),
    runViews: slowly(trpc.runViews.pathKey()),
    // One's own role, too: it says what the screens offer.
    members: slowly(trpc.members.pathKey(), trpc.workspace.me.pathKey()),
    // Looking at the health of everything takes a while: only when asked for.
    system: slowly(trpc.system.backups.pathKey()),
  };
  return {
    after: (hint: ChangedHint) => refresh[hint.noun](),
    all: () => {
      for (const again of Object.values(refresh)) again();
      tryAgainEverywhere();
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    },
  };
}
