import type { RunView } from "@/components/runs/use-run-view";

/** Agent run of the selected row. */
export function pickedAgent({ selected, places }: Pick<RunView, "selected" | "places">): string | null {
  const item = selected === null ? undefined : places.get(selected)?.node.item;
  if (!item) return null;
  if (item.type === "agent") return item.agent.id;
  return item.type === "decision" ? item.decision.agentRunId : item.agentRunId;
}
