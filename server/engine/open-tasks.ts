import type { Task } from "./events";
import type { Execution } from "./execution";
import { settleTasks } from "./follow-tasks";
import { findTask, openDependencies, type Queue, taskWords } from "./task-queue";

type Owner = { id: string; handle: string; isCollected: boolean };

/**
 * What is left of the plan of one that works through tasks, a line each: tasks that have not ended, and results of completed ones that were
 * not taken. Empty for everybody else.
 */
export async function openTasks(execution: Execution): Promise<string[]> {
  if (!execution.plansInTasks || execution.tasks.length === 0) return [];
  await execution.alone(() => settleTasks(execution));
  const queue = execution.tasks;
  const { rows } = await execution.resources.pool.query<Owner>({
    name: "owners_of_tasks",
    text: `select id, handle, collected_at is not null as "isCollected" from agent_runs where id = any($1)`,
    values: [queue.flatMap(({ childId }) => childId ?? [])],
  });
  const owners = new Map(rows.map((owner) => [owner.id, owner]));
  return queue.flatMap((task) => {
    const what = whatIsLeft(queue, task, owners.get(task.childId ?? ""));
    return what ? [`- ${task.number} (${task.subject}): ${what}`] : [];
  });
}

function whatIsLeft(queue: Queue, task: Task, owner: Owner | undefined): string | null {
  switch (task.status) {
    case "pending":
      return task.agent ? `it waits for room for ${task.agent}` : "it is yours to do";
    case "blocked":
      return blockedBy(queue, task);
    case "in_progress":
      return `${owner?.handle} works on it: agent__collect waits for it`;
    case "completed":
      return owner && !owner.isCollected ? `its result was not taken: agent__collect ${owner.handle}` : null;
    case "failed":
      return null;
    default:
      return task.status satisfies never;
  }
}

function blockedBy(queue: Queue, task: Task): string {
  const open = openDependencies(queue, task);
  const failed = open.filter((number) => findTask(queue, number)?.status === "failed");
  return failed.length
    ? `it never begins, because ${taskWords(failed)} failed: agent__task_fail ends it`
    : `it waits for ${taskWords(open)}`;
}
