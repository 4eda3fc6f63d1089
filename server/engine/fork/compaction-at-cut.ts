import type { ModelMessage } from "@/server/models/model";
import { planCompaction } from "../compaction";
import type { Compaction } from "../journal/opened";

/**
 * What of a conversation was sent at the cut: the newest summary before it was made by the same rule from the same messages.
 * @param roles of the agent run's stored messages, by index
 * @param summaries indexes of the summaries before the cut, in order
 * @param newest in force when the run was last carried on
 */
export function compactionAtCut(
  roles: readonly ModelMessage["role"][],
  summaries: readonly number[],
  newest: Compaction | null,
  preserveLastN: number,
): Compaction | null {
  let inForce: Compaction | null = null;
  for (const summary of summaries) {
    if (newest?.summary === summary) {
      inForce = newest;
      continue;
    }
    // Only the order of roles decides.
    const stored = roles.slice(0, summary).map((role) => ({ role, content: "" }) as ModelMessage);
    const plan = planCompaction(stored, inForce, preserveLastN);
    if (plan) inForce = { summary, from: plan.from };
  }
  return inForce;
}
