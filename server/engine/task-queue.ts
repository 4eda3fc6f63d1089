import type { Task } from "./events";

/**
 * A supervisor's tasks in order of their numbers 1, 2, 3… (LOK-TSK-03, LOK-TSK-10). Every change makes a new queue, in which the tasks
 * that did not change are the same objects. A task waits only for tasks with smaller numbers, so none ever waits for itself in a ring.
 */
export type Queue = readonly Task[];

export type Refused = { refused: { code: string; message: string } };

export type TaskDraft = Pick<Task, "subject" | "description" | "agent" | "prompt" | "createdAt"> & {
  /** Ids as a model wrote them. */
  blockedBy: readonly unknown[];
};

/** The number in 3, "3" and "task_3"; null for anything else. */
export function readTaskNumber(id: unknown): number | null {
  const text = typeof id === "number" || typeof id === "string" ? String(id).trim() : "";
  const digits = /^(?:task_)?([1-9]\d{0,8})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Adds a task. Dependencies that cannot be are left out and told as warnings (LOK-TSK-02); one that is completed holds nothing up. */
export function addTask(queue: Queue, { blockedBy, ...draft }: TaskDraft): { queue: Queue; warnings: string[] } {
  const number = (queue.at(-1)?.number ?? 0) + 1;
  const warnings: string[] = [];
  const kept = new Set<number>();
  for (const id of blockedBy) {
    const other = findTask(queue, id);
    if (readTaskNumber(id) === number) {
      warnings.push(`Task ${number} cannot wait for itself; that dependency was left out.`);
    } else if (!other) {
      warnings.push(`There is no task ${shown(id)}; that dependency was left out.`);
    } else {
      if (other.status === "failed")
        warnings.push(`Task ${other.number} has failed: task ${number} stays blocked for good.`);
      kept.add(other.number);
    }
  }
  const task: Task = {
    ...{ ...draft, number, blockedBy: [...kept], status: "pending" },
    ...{ childId: null, isAutomatic: false, finishedAt: null },
  };
  return { queue: [...queue, isOpen(queue, task) ? { ...task, status: "blocked" } : task], warnings };
}

/** Gives a task to an agent run: only one that is runnable, and only once (LOK-TSK-09). */
export function claimTask(
  queue: Queue,
  id: unknown,
  owner: { childId: string; isAutomatic: boolean },
): Queue | Refused {
  const task = findTask(queue, id);
  if (!task) return unknownTask(queue, id);
  if (task.status !== "pending") return illegal(queue, task);
  return queue.map((one) => (one === task ? { ...task, ...owner, status: "in_progress" } : one));
}

/**
 * Ends a task. Completed, it releases those that waited for nothing else; failed, it blocks what waits for it for good (LOK-TSK-08).
 * What is blocked can fail and cannot be completed.
 */
export function finishTask(
  queue: Queue,
  id: unknown,
  { status, at }: { status: "completed" | "failed"; at: string },
): Queue | Refused {
  const task = findTask(queue, id);
  if (!task) return unknownTask(queue, id);
  const mayEnd = ["pending", "in_progress", ...(status === "failed" ? ["blocked"] : [])];
  if (!mayEnd.includes(task.status)) return illegal(queue, task);
  const ended = queue.map((one) => (one === task ? { ...task, status, finishedAt: at } : one));
  return ended.map((one) => (one.status === "blocked" && !isOpen(ended, one) ? { ...one, status: "pending" } : one));
}

/** The queue of a supervisor that ends: what is in progress has failed with it. What never began stays as it is. */
export function abandonTasks(queue: Queue, at: string): Queue {
  return queue.map((task) =>
    task.status === "in_progress" ? { ...task, status: "failed" as const, finishedAt: at } : task,
  );
}

export function findTask(queue: Queue, id: unknown): Task | undefined {
  const number = readTaskNumber(id);
  return queue.find((task) => task.number === number);
}

/** Tasks that may begin: nothing they wait for is open, and nobody works on them. */
export function runnableTasks(queue: Queue): Task[] {
  return queue.filter(({ status }) => status === "pending");
}

/** Numbers of the tasks that wait for this one. */
export function blocksOf(queue: Queue, number: number): number[] {
  return queue.filter(({ blockedBy }) => blockedBy.includes(number)).map((task) => task.number);
}

/** Numbers of the tasks that wait for this one, directly or for one that does. */
export function dependentsOf(queue: Queue, number: number): number[] {
  const found = new Set([number]);
  // Whoever waits has the larger number.
  for (const task of queue) if (task.blockedBy.some((other) => found.has(other))) found.add(task.number);
  return [...found].filter((other) => other !== number);
}

/** Tasks of a queue that are new or have changed since. */
export function changedTasks(before: Queue, after: Queue): Task[] {
  return after.filter((task) => !before.includes(task));
}

/** Numbers it still waits for. */
export function openDependencies(queue: Queue, { blockedBy }: Pick<Task, "blockedBy">): number[] {
  return blockedBy.filter((number) => findTask(queue, number)?.status !== "completed");
}

/** "task 1", "tasks 1 and 2" */
export function taskWords(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  if (numbers.length < 2) return `task ${last}`;
  return `tasks ${numbers.slice(0, -1).join(", ")} and ${last}`;
}

function isOpen(queue: Queue, task: Task): boolean {
  return openDependencies(queue, task).length > 0;
}

function unknownTask(queue: Queue, id: unknown): Refused {
  const numbers = queue.map(({ number }) => number).join(", ");
  const known = numbers ? `Your tasks: ${numbers}.` : "You have made none.";
  return { refused: { code: "unknown_task", message: `There is no task ${shown(id)}. ${known}` } };
}

function illegal(queue: Queue, task: Task): Refused {
  const name = `Task ${task.number}`;
  const words = {
    pending: `${name} has not begun.`,
    blocked: `${name} is blocked: it waits for ${taskWords(openDependencies(queue, task))}.`,
    in_progress: `${name} is in progress: an agent works on it already.`,
    completed: `${name} is completed already.`,
    failed: `${name} has failed already.`,
  };
  return { refused: { code: `task_${task.status}`, message: words[task.status] } };
}

function shown(id: unknown): string {
  return (JSON.stringify(id) ?? "null").slice(0, 40);
}
