import type { RunState } from "@/components/runs/run-state";
import type { AgentRow, TaskRow } from "@/server/engine/events";

type Rows = Pick<RunState, "agents" | "tasks">;
/** The tasks of one agent run, by number. */
export type TaskQueue = { owner: AgentRow; tasks: readonly TaskRow[] };

/** The queues an agent run shows: its own; the root those of the whole run, its own first. */
export function queuesAt({ agents, tasks }: Rows, at: AgentRow): TaskQueue[] {
  const owners = at.parentId === null ? agents : [at];
  return owners.flatMap((owner) => {
    const own = tasks.filter((task) => task.agentRunId === owner.id).sort((a, b) => a.number - b.number);
    return own.length > 0 ? [{ owner, tasks: own }] : [];
  });
}

/** The task an agent run was given out of a queue, with whose queue that is. */
export function taskOf({ agents, tasks }: Rows, agentRunId: string): { task: TaskRow; owner: AgentRow } | null {
  const task = tasks.find(({ childId }) => childId === agentRunId);
  const owner = agents.find(({ id }) => id === task?.agentRunId);
  return task && owner ? { task, owner } : null;
}

/** The tasks one waits for, as they stand; of those that are gone nothing is said. */
export function blockersOf(task: TaskRow, queue: readonly TaskRow[]): TaskRow[] {
  return queue.filter(({ number }) => task.blockedBy.includes(number));
}

/** Whether something it waits for, however far up, has failed: it stays blocked for good. */
export function isBlockedForGood(task: TaskRow, queue: readonly TaskRow[]): boolean {
  if (task.status !== "blocked") return false;
  return blockersOf(task, queue).some((blocker) => blocker.status === "failed" || isBlockedForGood(blocker, queue));
}

type Doable = { done: boolean } | Pick<TaskRow, "status">;
const isDone = (one: Doable) => ("done" in one ? one.done : one.status === "completed");

/** How many items of a todo list, or tasks, are done. */
export function countDone(all: readonly Doable[]): number {
  return all.filter(isDone).length;
}

/** "2 of 5 done" */
export function doneWords(all: readonly Doable[]): string {
  return `${countDone(all)} of ${all.length} done`;
}
