import { mailsAt } from "@/components/runs/run-mails";
import type { RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { isModelCall } from "@/components/runs/run-step-words";
import { queuesAt } from "@/components/runs/run-tasks";

const TAB_WORDS = {
  overview: "Overview",
  input: "Input",
  output: "Output",
  decision: "Decision",
  cost: "Cost",
  events: "Events",
  raw: "Raw",
  tasks: "Tasks",
  mail: "Mail",
} as const;
export type InspectorTab = keyof typeof TAB_WORDS;

type Rows = Pick<RunState, "agents" | "tasks" | "mails">;

/**
 * The tabs a row has. A decision has no input of its own: what was offered is on its Decision tab. Tasks and letters are there when
 * there are any; last, so that the key of every other tab is the same on each row.
 */
export function tabsOf(state: Rows, { item }: RunNode): readonly InspectorTab[] {
  if (item.type === "decision") return ["decision", "events", "raw"];
  const tabs: InspectorTab[] = ["overview", "input", "output", "decision", "cost", "events", "raw"];
  if (item.type !== "agent") return tabs;
  if (queuesAt(state, item.agent).length > 0) tabs.push("tasks");
  if (mailsAt(state, item.agent).length > 0) tabs.push("mail");
  return tabs;
}

/** What a model call was given is its prompt, part by part. */
export function tabWord(tab: InspectorTab, { item }: RunNode): string {
  return tab === "input" && item.type === "step" && isModelCall(item.kind) ? "Prompt" : TAB_WORDS[tab];
}

/** The wanted tab where the row has it, else its first. */
export function tabFor(tabs: readonly InspectorTab[], wanted: string | null): InspectorTab {
  return tabs.find((tab) => tab === wanted) ?? tabs[0] ?? "overview";
}
