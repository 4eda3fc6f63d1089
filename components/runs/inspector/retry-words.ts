import { formatCount, formatMoney, formatPlural } from "@/components/ui/format";
import type { EffectAfter, RetryPlan } from "@/server/runs/step-schema";

/** What a retry keeps, in sentences. */
export function keptWords({ agentName, stepName, keptSteps, reusedCostNanoUsd }: RetryPlan): string {
  const again = `A new run begins just before ${agentName} began this step (${stepName}), with the versions this run was made with.`;
  if (keptSteps === 0) return `${again} Nothing was recorded before it, so all of it is done anew.`;
  const cost = reusedCostNanoUsd > 0 ? ` They cost ${formatMoney(reusedCostNanoUsd)}, which is not counted again.` : "";
  return `${again} It keeps ${formatPlural(keptSteps, "step")}.${cost} What was under way beside it is done anew.`;
}

const OUTCOMES: Record<string, string> = {
  applied: "took effect",
  intended: "was under way",
  uncertain: "may have taken effect",
  given_up: "may have taken effect",
};

/** "Writer: files__write_file took effect, 3 times": a line for what came to the same, in the order it first happened. */
export function effectLines(effects: readonly EffectAfter[]): string[] {
  const counts = new Map<string, number>();
  for (const { agentName, tool, status } of effects) {
    const words = `${agentName}: ${tool} ${OUTCOMES[status] ?? status}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => (count === 1 ? words : `${words}, ${formatCount(count)} times`));
}

/** What is asked about whatever the switch says. */
export function alwaysAskedWords({ tools }: RetryPlan): string {
  return tools.length === 0
    ? "Nothing had been written after this step."
    : `You are asked about ${tools.join(", ")} in any case, because of what already happened.`;
}
