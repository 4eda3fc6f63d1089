"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTRPC } from "@/components/trpc/client";

/** A recorded step never changes, so it is read once. One still at work has no record: nothing is asked. */
export function useStepDetail(place: { runId: string; agentRunId: string; position: number }, recorded: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.step.queryOptions(place, { enabled: recorded, staleTime: Number.POSITIVE_INFINITY }));
}

/** The record of a model call, without its texts; nothing is asked for a step that called none. */
export function useModelCall(place: { runId: string; agentRunId: string; position: number }, isCall: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.modelCall.queryOptions(place, { enabled: isCall, staleTime: Number.POSITIVE_INFINITY }));
}

/** Task, instructions and result of an agent run; read again when its state moves. */
export function useAgentDetail(place: { runId: string; agentRunId: string }, status: string) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.agent.queryOptions(place));
  useRereadOn(status, query.refetch);
  return query;
}

/** A decision never changes, its outcome does; the page knows the outcome from the tree. */
export function useDecisionDetail(place: { runId: string; decisionId: string }) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.decision.queryOptions(place, { staleTime: Number.POSITIVE_INFINITY }));
}

/** Reads again when `version` moves after the first reading. */
function useRereadOn(version: string, reread: () => unknown): void {
  const seen = useRef(version);
  const again = useEffectEvent(reread);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    again();
  }, [version]);
}
