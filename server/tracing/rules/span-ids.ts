import { createHash } from "node:crypto";

/** One run, one trace: its id without the hyphens is as long as a trace id. */
export function traceIdOf(runId: string): string {
  return runId.replaceAll("-", "");
}

/** Derived, so that a span which is sent again is the same span. */
export function agentSpanId(agentRunId: string): string {
  return spanIdOf(agentRunId);
}

export function stepSpanId(agentRunId: string, position: number): string {
  return spanIdOf(`${agentRunId}/${position}`);
}

/** Of the model call that condensed what the step's tool returned. */
export function condensingSpanId(agentRunId: string, position: number): string {
  return spanIdOf(`${agentRunId}/${position}/condensing`);
}

function spanIdOf(of: string): string {
  const id = createHash("sha256").update(of).digest("hex").slice(0, 16);
  // All zeros means "none".
  return /^0+$/.test(id) ? "0000000000000001" : id;
}
