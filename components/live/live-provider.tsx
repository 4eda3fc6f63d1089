"use client";

import { partialMatchKey, type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from "react";
import { getAccess, useAccess } from "@/components/trpc/access";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { refusalCodeOf } from "@/components/trpc/refusals";
import { tryAgainEverywhere } from "@/components/ui/try-again";
import type { ChangedNoun } from "@/server/runs/live-schema";
import { type ChangedHint, type FollowHandlers, LiveConnection, type OpenStream } from "./live-connection";
import type { LiveStatus } from "./live-status";
import { throttle } from "./throttle";

/** Changes come in bursts, and a stream begins with one: what they make stale is read again together… */
const GATHER_MS = 100;
/** …and while a busy run changes many times a second, at most this often. */
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
        onStopped: callbacks.onOver,
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
  // A turn is a run. What came of a decision moves with its run.
  const runs = [trpc.runs.list, trpc.runs.summary, trpc.conversations, trpc.decisions.get, trpc.decisions.explain];
  const { bases, base, documents, document, chunks } = trpc.knowledge;
  // What is found by a search or cited stays as it was asked for.
  const knowledge = [bases, base, documents, document, chunks, trpc.conversations.get];
  const staleAfter: Record<ChangedNoun, { pathKey: () => QueryKey }[]> = {
    runs,
    // Runs show how many requests they have open.
    requests: [trpc.requests.list, ...runs],
    documents: knowledge,
    knowledge,
    // A team shows its agents' names, and either can be asked and run.
    agents: [trpc.agents, trpc.teams, trpc.runs.targets],
    teams: [trpc.teams, trpc.runs.targets],
    conversations: [trpc.conversations],
    decisions: [trpc.decisions],
    // Runs are found by what is said of their answers.
    feedback: [trpc.feedback, trpc.runs.list],
    finding: [trpc.finding.get],
    // Its cost goes by the price.
    providers: [trpc.providers, trpc.workspace.me, trpc.finding.get],
    toolServers: [trpc.toolServers, trpc.agents.tools],
    tracing: [trpc.tracing],
    webhooks: [trpc.webhooks],
    usage: [trpc.usage],
    runViews: [trpc.runViews],
    // One's own role, too: it says what the screens offer.
    members: [trpc.members, trpc.workspace.me],
    // Looking at the health of everything takes a while: only when asked for.
    system: [trpc.system.backups],
  };
  const changed = new Set<ChangedNoun>();
  const reread = throttle(
    () => {
      const stale = [...changed].flatMap((noun) => staleAfter[noun].map((read) => read.pathKey()));
      changed.clear();
      // In one go: several changes can make the same query stale, which is read again once.
      const predicate = ({ queryKey }: Query) => stale.some((key) => partialMatchKey(queryKey, key));
      void queryClient.invalidateQueries({ predicate });
    },
    { gatherMs: GATHER_MS, intervalMs: REFRESH_EVERY_MS },
  );
  const after = (noun: ChangedNoun) => {
    changed.add(noun);
    reread();
  };
  return {
    after: ({ noun }: ChangedHint) => after(noun),
    all: () => {
      for (const noun of Object.keys(staleAfter)) after(noun as ChangedNoun);
      tryAgainEverywhere();
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    },
  };
}
