import type { StepKind } from "@/server/engine/events";
import type { RunTree } from "../schema";
import type { RunFacts } from "./schema";

/** What a run is and took. `activeMs`: how long it was at work. `about`: what it was about when it began. */
export function tellFacts(
  { run, agents, steps, decisions }: RunTree,
  { activeMs, about }: Pick<RunFacts, "activeMs" | "about">,
): RunFacts {
  const kinds: Record<StepKind, number> = { model: 0, tool: 0, retrieval: 0, human: 0, summary: 0 };
  const reused = { steps: 0, tokens: 0, costNanoUsd: 0 };
  let failedSteps = 0;
  for (const step of steps) {
    kinds[step.kind] += 1;
    if (step.status === "failed") failedSteps += 1;
    if (!step.reused) continue;
    reused.steps += 1;
    reused.tokens += step.reused.inputTokens + step.reused.outputTokens;
    reused.costNanoUsd += step.reused.costNanoUsd ?? 0;
  }
  const { id, title, status, statusReason, target, model, input, answer, citations, createdAt, finishedAt } = run;
  const { inputTokens, outputTokens, costNanoUsd, unpricedCalls, forkOf } = run;
  return {
    ...{ id, title, status, statusReason, target, model, input, answer, citations, createdAt, forkOf },
    ...{ inputTokens, outputTokens, costNanoUsd, unpricedCalls },
    elapsedMs: finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt),
    ...{ activeMs, about },
    ...{ agents: agents.length, decisions: decisions.length, steps: kinds, failedSteps, reused },
  };
}
