/** The ways one run is looked at, in the order they are offered. */
export const RUN_LOOKS = [
  "steps",
  "conversation",
  "graph",
  "cost",
  "knowledge",
  "tasks",
  "messages",
  "files",
  "state",
] as const;
export type RunLook = (typeof RUN_LOOKS)[number];

export const LOOK_WORDS: Record<RunLook, string> = {
  steps: "Steps",
  conversation: "Conversation",
  graph: "Graph",
  cost: "Cost",
  knowledge: "Knowledge",
  tasks: "Tasks",
  messages: "Messages",
  files: "Files",
  state: "State",
};

/** Views that lead from row to row, so that the details stay beside them. */
export const BESIDE_DETAILS: readonly RunLook[] = ["steps", "conversation", "graph", "knowledge", "tasks", "messages"];

export function readLook(text: string | null): RunLook {
  return RUN_LOOKS.find((look) => look === text) ?? "steps";
}

/** The view so many places on, round and round. */
export function lookBeside(look: RunLook, by: 1 | -1): RunLook {
  const at = (RUN_LOOKS.indexOf(look) + by + RUN_LOOKS.length) % RUN_LOOKS.length;
  return RUN_LOOKS[at] ?? "steps";
}
