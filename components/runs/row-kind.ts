import type { RunNode } from "@/components/runs/run-nodes";
import type { RowKind } from "@/components/ui/status";

/** What a row stands for. */
export function rowKindOf({ item }: RunNode): RowKind {
  if (item.type === "agent") return item.root ? "team" : "agent";
  return item.type === "decision" ? "decision" : item.kind;
}
