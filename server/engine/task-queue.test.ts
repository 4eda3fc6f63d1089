import { describe, expect, test } from "vitest";
import { TASK_STATUSES, type Task } from "./events";
import {
  addTask,
  blocksOf,
  changedTasks,
  claimTask,
  dependentsOf,
  findTask,
  finishTask,
  openDependencies,
  type Queue,
  type Refused,
  readTaskNumber,
  runnableTasks,
  taskWords,
} from "./task-queue";

const AT = "2026-01-01T00:00:00.000Z";
const CHILD = { childId: "child", isAutomatic: true };

const draft = (blockedBy: unknown[] = [], agent: string | null = null) => ({
  ...{ subject: "s", description: "", agent, prompt: agent && "Go", createdAt: AT },
  blockedBy,
});

/** A queue of tasks that wait for the given others. */
const queueOf = (...dependencies: unknown[][]): Queue =>
  dependencies.reduce<Queue>((queue, blockedBy) => addTask(queue, draft(blockedBy)).queue, []);

const statuses = (queue: Queue) => queue.map(({ status }) => status);

function may(result: Queue | Refused): Queue {
  if ("refused" in result) throw new Error(result.refused.message);
  return result;
}
function mayNot(result: Queue | Refused): { code: string; message: string } {
  if ("refused" in result) return result.refused;
  throw new Error("it was not refused");
}
const complete = (queue: Queue, id: unknown) => finishTask(queue, id, { status: "completed", at: AT });
const fail = (queue: Queue, id: unknown) => finishTask(queue, id, { status: "failed", at: AT });
const claim = (queue: Queue, id: unknown) => claimTask(queue, id, CHILD);

describe("the number of a task", () => {
  test.each([
    [3, 3],
    ["3", 3],
    ["task_3", 3],
    [" 12 ", 12],
    ["0", null],
    [0, null],
    [-1, null],
    [1.5, null],
    ["task_", null],
    ["03", null],
    ["1234567890", null],
    [null, null],
    [{}, null],
    [[3], null],
  ])("%j is %j", (id, number) => {
    expect(readTaskNumber(id)).toBe(number);
  });
});

describe("adding tasks", () => {
  test("numbers count from 1, and a task waits for what is open", () => {
    const queue = queueOf([], [1], ["task_1", 2, "2"]);
    expect(queue.map(({ number, blockedBy }) => [number, blockedBy])).toEqual([
      [1, []],
      [2, [1]],
      [3, [1, 2]],
    ]);
    expect(statuses(queue)).toEqual(["pending", "blocked", "blocked"]);
  });

  test("itself, what does not exist yet and what is no id are left out and told", () => {
    const { queue, warnings } = addTask(queueOf([]), draft([1, 2, "3", "soon", null]));
    expect(findTask(queue, 2)).toMatchObject({ blockedBy: [1], status: "blocked" });
    expect(warnings).toEqual([
      "Task 2 cannot wait for itself; that dependency was left out.",
      'There is no task "3"; that dependency was left out.',
      'There is no task "soon"; that dependency was left out.',
      "There is no task null; that dependency was left out.",
    ]);
  });

  test("what is completed holds nothing up, and what has failed does for good", () => {
    const done = may(complete(queueOf([]), 1));
    expect(statuses(addTask(done, draft([1])).queue)).toEqual(["completed", "pending"]);
    const failed = may(fail(queueOf([]), 1));
    const { queue, warnings } = addTask(failed, draft([1]));
    expect(statuses(queue)).toEqual(["failed", "blocked"]);
    expect(warnings).toEqual(["Task 1 has failed: task 2 stays blocked for good."]);
  });
});

describe("the way of a task", () => {
  test("completed, it releases whoever waited for nothing else, and changes nothing else", () => {
    const before = queueOf([], [], [1], [1, 2], [3]);
    const after = may(complete(may(claim(before, 1)), 1));
    expect(statuses(after)).toEqual(["completed", "pending", "pending", "blocked", "blocked"]);
    expect(changedTasks(before, after).map(({ number }) => number)).toEqual([1, 3]);
    expect(after[0]).toMatchObject({ ...CHILD, finishedAt: AT });
  });

  test("failed, it releases nobody: what waits for it, directly or not, stays blocked", () => {
    const before = queueOf([], [1], [2], []);
    const after = may(fail(before, 1));
    expect(statuses(after)).toEqual(["failed", "blocked", "blocked", "pending"]);
    expect(dependentsOf(after, 1)).toEqual([2, 3]);
    expect(blocksOf(after, 1)).toEqual([2]);
    expect(openDependencies(after, findTask(after, 2) as Task)).toEqual([1]);
  });

  test.each([
    ["claim", claim, { blocked: "task_blocked", in_progress: "task_in_progress" }],
    ["complete", complete, { blocked: "task_blocked" }],
    ["fail", fail, {}],
  ] as const)("what cannot %s is refused by the name of its state", (_, change, alsoRefused) => {
    const refusals = { completed: "task_completed", failed: "task_failed", ...alsoRefused };
    const made = queueOf([], [1], [], [], []);
    const queue = may(fail(may(complete(may(claim(made, 3)), 4)), 5));
    expect(statuses(queue)).toEqual(["pending", "blocked", "in_progress", "completed", "failed"]);
    for (const { number, status } of queue) {
      const code = (refusals as Record<string, string>)[status];
      if (code) expect(mayNot(change(queue, number)).code).toBe(code);
      else expect(statuses(may(change(queue, number)))).not.toEqual(statuses(queue));
    }
    expect(mayNot(change(queue, "6"))).toEqual({
      code: "unknown_task",
      message: 'There is no task "6". Your tasks: 1, 2, 3, 4, 5.',
    });
    expect(mayNot(change([], 1)).message).toBe("There is no task 1. You have made none.");
  });

  test("a refusal says what it waits for, in words", () => {
    expect(mayNot(complete(queueOf([], [], [], [1, 2, 3]), 4)).message).toBe(
      "Task 4 is blocked: it waits for tasks 1, 2 and 3.",
    );
    expect(taskWords([7])).toBe("task 7");
  });
});

/** Numbers from 0 up to below `below`, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Some hundred queues on which everything is tried in any order, with ids that may or may not exist. */
describe("whatever is done to a queue", () => {
  const LEGAL: Record<Task["status"], readonly Task["status"][]> = {
    pending: ["in_progress", "completed", "failed"],
    blocked: ["pending", "failed"],
    in_progress: ["completed", "failed"],
    completed: [],
    failed: [],
  };

  function play(seed: number, see: (before: Queue, after: Queue, claimed: number | null) => void): void {
    const random = randomOf(seed);
    let queue: Queue = [];
    for (let step = 0; step < 40; step++) {
      const id = [random(queue.length + 3), `task_${random(queue.length + 3)}`][random(2)];
      const blockedBy = Array.from({ length: random(4) }, () => random(queue.length + 3));
      const kind = random(5);
      const result =
        kind < 2
          ? addTask(queue, draft(blockedBy)).queue
          : kind === 2
            ? claim(queue, id)
            : kind === 3
              ? complete(queue, id)
              : fail(queue, id);
      if ("refused" in result) continue;
      see(queue, result, kind === 2 ? readTaskNumber(id) : null);
      queue = result;
    }
  }
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);

  /** What a law does not hold for, over all that was played; a look is cheaper than an assertion. */
  function breaches(law: (before: Queue, after: Queue, claimed: number | null) => boolean): Queue[][] {
    const broken: Queue[][] = [];
    for (const seed of seeds) {
      play(seed, (before, after, claimed) => {
        if (!law(before, after, claimed)) broken.push([before, after]);
      });
    }
    return broken;
  }
  const hasEnded = ({ status }: Task) => status === "completed" || status === "failed";

  test("tasks are numbered without gaps, and each waits only for smaller numbers: never in a ring", () => {
    const isNumbered = (queue: Queue) => queue.every(({ number }, i) => number === i + 1);
    const isAcyclic = (queue: Queue) =>
      queue.every(({ number, blockedBy }) => blockedBy.every((other) => other >= 1 && other < number));
    expect(breaches((_, queue) => isNumbered(queue) && isAcyclic(queue))).toEqual([]);
  });

  test("only legal steps are taken, and every state and every legal step is reached", () => {
    const taken = new Set<string>();
    for (const seed of seeds) {
      play(seed, (before, after) => {
        for (const { number, status } of after) {
          const was = findTask(before, number)?.status;
          if (was !== status) taken.add(`${was ?? "new"} → ${status}`);
        }
      });
    }
    const legal = TASK_STATUSES.flatMap((from) => LEGAL[from].map((to) => `${from} → ${to}`));
    expect([...taken].sort()).toEqual([...legal, "new → pending", "new → blocked"].sort());
  });

  test("a task is blocked exactly while something it waits for is not completed", () => {
    const isOpen = (queue: Queue, { blockedBy }: Task) =>
      blockedBy.some((number) => findTask(queue, number)?.status !== "completed");
    expect(
      breaches((_, queue) =>
        queue.every((task) => task.status === "failed" || (task.status === "blocked") === isOpen(queue, task)),
      ),
    ).toEqual([]);
    expect(breaches((_, queue) => runnableTasks(queue).every((task) => !isOpen(queue, task)))).toEqual([]);
  });

  test("no task is given away twice", () => {
    const isFree = (queue: Queue, number: number) => findTask(queue, number)?.childId === null;
    expect(breaches((before, _, claimed) => claimed === null || isFree(before, claimed))).toEqual([]);
  });

  test("what has ended keeps how and when it ended, and what did not change is the same object", () => {
    const isKept = (task: Task, after: Queue) => {
      const now = findTask(after, task.number);
      return hasEnded(task) || now?.status === task.status ? now === task : true;
    };
    expect(breaches((before, after) => before.every((task) => isKept(task, after)))).toEqual([]);
    expect(breaches((_, after) => after.every((task) => (task.finishedAt === null) !== hasEnded(task)))).toEqual([]);
  });
});
