import type { AgentRow } from "./events";

/** Characters of a task that the tree carries; the whole of it is loaded when the agent run is opened. */
const TASK_CHARACTERS = 200;

/** A new agent run as whoever reads its event is told of it: queued, nothing done yet. */
export function queuedAgent(
  agent: Pick<AgentRow, "id" | "parentId" | "spawnedById" | "handle" | "name" | "depth" | "task" | "createdAt">,
): AgentRow {
  return {
    ...agent,
    task: agent.task.slice(0, TASK_CHARACTERS),
    status: "queued",
    statusReason: null,
    openSteps: [],
    todo: null,
    context: null,
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    startedAt: null,
    finishedAt: null,
  };
}
