import { textKey } from "@/components/runs/run-live-text";
import type { RunState } from "@/components/runs/run-state";
import type { AgentRow, OpenStep } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";

/** What the agent that was asked is writing right now; null when it is not. */
export function writtenByRoot(state: Pick<RunState, "agents" | "texts">): string | null {
  const root = state.agents.find((agent) => agent.parentId === null);
  const open = root?.openSteps.find((step) => step.kind === "model");
  return (root && open && state.texts[textKey(root.id, open.position)]?.text) || null;
}

export type Doing = { id: string; name: string; words: string };

/** Who does what at this moment, in the order they began. Who has ended, or does nothing, is not in it. */
export function doingNow({ agents }: Pick<RunState, "agents">): Doing[] {
  return [...agents]
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
    .flatMap((agent) => {
      const words = wordsOf(agent);
      return words === null ? [] : [{ id: agent.id, name: agent.name, words }];
    });
}

function wordsOf({ status, openSteps }: AgentRow): string | null {
  if (isTerminal(status)) return null;
  if (status === "queued") return "waits for a free worker";
  if (status === "paused" || status === "suspended") return "is paused";
  if (status === "interrupted") return "was interrupted";
  const [first, ...more] = openSteps.map(stepWords);
  if (first === undefined) return null;
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

function stepWords({ kind, name }: OpenStep): string {
  if (kind === "model") return "thinks";
  if (kind === "summary") return "condenses the conversation";
  if (kind === "human") return "waits for an answer";
  if (kind === "retrieval") return "searches knowledge";
  if (name === "agent__collect") return "waits for agents";
  if (name === "agent__spawn") return "starts an agent";
  return `calls ${name}`;
}
