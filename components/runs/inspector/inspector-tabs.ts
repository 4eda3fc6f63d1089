import type { RunNode } from "@/components/runs/run-nodes";

export const TAB_WORDS = {
  overview: "Overview",
  input: "Input",
  output: "Output",
  decision: "Decision",
  events: "Events",
  raw: "Raw",
} as const;
export type InspectorTab = keyof typeof TAB_WORDS;

/** The tabs a row has. A decision has no input of its own: what was offered is on its Decision tab. */
export function tabsOf(node: RunNode): readonly InspectorTab[] {
  if (node.item.type === "decision") return ["decision", "events", "raw"];
  return ["overview", "input", "output", "decision", "events", "raw"];
}

/** The wanted tab where the row has it, else its first. */
export function tabFor(node: RunNode, wanted: string | null): InspectorTab {
  const tabs = tabsOf(node);
  return tabs.find((tab) => tab === wanted) ?? tabs[0] ?? "overview";
}
