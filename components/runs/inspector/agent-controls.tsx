"use client";

import { SteerForm } from "@/components/runs/inspector/steer-form";
import { StopAgent } from "@/components/runs/inspector/stop-agent";
import { isListening, type RunState } from "@/components/runs/run-state";
import type { AgentRow } from "@/server/engine/events";

/** What one can do about an agent at work: say something to it, and end it if another started it. */
export function AgentControls({ state, agent }: { state: RunState; agent: AgentRow }) {
  const isAtWork = isListening(agent);
  return (
    <>
      <SteerForm runId={state.run.id} agent={agent} isAtWork={isAtWork} />
      {isAtWork && agent.parentId !== null && <StopAgent state={state} agent={agent} />}
    </>
  );
}
