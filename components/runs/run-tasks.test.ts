import { expect, test } from "vitest";
import { blockersOf, countDone, doneWords, isBlockedForGood, queuesAt, taskOf } from "./run-tasks";
import { agentRow, taskRow, uuid } from "./run-test-log";

const ROOT = uuid(10);
const EDITOR = uuid(11);
const WRITER = uuid(12);
const agents = [
  agentRow(ROOT),
  agentRow(EDITOR, { parentId: ROOT, name: "Editor" }),
  agentRow(WRITER, { parentId: EDITOR, name: "Writer" }),
];
const [root, editor, writer] = agents;
const tasks = [
  taskRow(EDITOR, 1, { status: "completed", childId: WRITER }),
  taskRow(ROOT, 2, { status: "blocked", blockedBy: [1] }),
  taskRow(ROOT, 1, { status: "in_progress", childId: EDITOR }),
];
const numbers = (queues: ReturnType<typeof queuesAt>) =>
  queues.map(({ owner, tasks: own }) => [owner.id, ...own.map(({ number }) => number)]);

test("a row shows its own queue by number, the root those of the whole run", () => {
  if (!root || !editor || !writer) throw new Error("three agents were made");
  expect(numbers(queuesAt({ agents, tasks }, root))).toEqual([
    [ROOT, 1, 2],
    [EDITOR, 1],
  ]);
  expect(numbers(queuesAt({ agents, tasks }, editor))).toEqual([[EDITOR, 1]]);
  expect(queuesAt({ agents, tasks }, writer)).toEqual([]);
});

test("an agent run that was given a task names it, and whose it is", () => {
  expect(taskOf({ agents, tasks }, WRITER)).toMatchObject({ owner: { id: EDITOR }, task: { number: 1 } });
  expect(taskOf({ agents, tasks }, ROOT)).toBeNull();
});

test("a task that waits for a failed one, however far up, is blocked for good", () => {
  const queue = [
    taskRow(ROOT, 1, { status: "failed" }),
    taskRow(ROOT, 2, { status: "blocked", blockedBy: [1] }),
    taskRow(ROOT, 3, { status: "blocked", blockedBy: [2, 9] }),
    taskRow(ROOT, 4, { status: "pending" }),
    taskRow(ROOT, 5, { status: "blocked", blockedBy: [4] }),
  ];
  expect(queue.filter((task) => isBlockedForGood(task, queue)).map(({ number }) => number)).toEqual([2, 3]);
  expect(queue.map((task) => blockersOf(task, queue).map(({ number }) => number))).toEqual([[], [1], [2], [], [4]]);
});

test("what is done is counted alike for tasks and for the items of a todo list", () => {
  const items = [{ done: true }, { done: false }, { done: true }];
  expect([countDone(items), doneWords(items), doneWords(tasks)]).toEqual([2, "2 of 3 done", "1 of 3 done"]);
});
