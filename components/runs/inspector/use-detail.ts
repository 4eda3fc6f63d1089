"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useSought } from "@/components/runs/inspector/sought";
import type { RunState } from "@/components/runs/run-state";
import { useTRPC } from "@/components/trpc/client";
import type { AgentRow } from "@/server/engine/events";
import type { StepDetail, StepTextInput } from "@/server/runs/step-schema";

/** A recorded step never changes, so it is read once. One still at work has no record: nothing is asked. */
export function useStepDetail(place: { runId: string; agentRunId: string; position: number }, recorded: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.step.queryOptions(place, { enabled: recorded, staleTime: Number.POSITIVE_INFINITY }));
}

/** The same with the texts that were sent as their beginning, while something is looked for in the panel: it may stand in their rest. */
export function useStepTexts(place: { runId: string; agentRunId: string; position: number }) {
  const trpc = useTRPC();
  const isSearched = useSought().trim() !== "";
  const brief = useStepDetail(place, true);
  const enabled = isSearched && brief.data !== undefined && isCut(brief.data);
  const whole = useQuery(
    trpc.runs.step.queryOptions({ ...place, whole: true }, { enabled, staleTime: Number.POSITIVE_INFINITY }),
  );
  return enabled && whole.data ? whole : brief;
}

function isCut({ request, reply, call }: StepDetail): boolean {
  const messages = [...(request?.messages ?? []), ...(reply ? [reply] : [])];
  return Boolean(
    call?.argumentsCut ||
      call?.resultCut ||
      request?.tools.some((tool) => tool.cut) ||
      messages.some((message) => message.cut || message.calls.some((each) => each.cut)),
  );
}

/** A text of a step that was sent as its beginning. */
export function useStepText(place: StepTextInput, isWanted: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.runs.stepText.queryOptions(place, { enabled: isWanted, staleTime: Number.POSITIVE_INFINITY }));
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

/** What an agent run spent of its limits; read again when it, or one below it, is recorded to have spent more. */
export function useAgentSpending(state: RunState, agent: AgentRow) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runInside.agentSpending.queryOptions({ runId: state.run.id, agentRunId: agent.id }));
  const { inputTokens, outputTokens, costNanoUsd } = state.run;
  useRereadOn(`${agent.status} ${agent.inputTokens} ${inputTokens} ${outputTokens} ${costNanoUsd}`, query.refetch);
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
