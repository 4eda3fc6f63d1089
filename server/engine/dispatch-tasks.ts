import { decide, decisionId } from "./decide";
import type { Task } from "./events";
import type { Execution } from "./execution";
import { deriveId } from "./ids";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";
import { countRunning, findTarget, startOfChild, type Target } from "./start-child";
import { claimTask, findTask, type Queue, readTaskNumber, runnableTasks, taskWords } from "./task-queue";

/** Among the decisions of the call that made the task, beside those of its turn. */
const ORDINAL = 70;

/** Tasks that were started, what is committed for it beside the tasks themselves, and agent runs to start after the commit. */
export type Dispatched = {
  queue: Queue;
  started: { number: number; handle: string; agent: string }[];
  unit: JournalUnit;
  launch: string[];
};

/**
 * Starts the agents of tasks that are runnable, in order of their numbers and as far as there is room (LOK-TSK-06; at creation, too: DESIGN
 * section 6). Only within execution.alone(), so that no task is given away twice (LOK-TSK-09). The child's id comes from the task's
 * number: a second execution finds the same child.
 * @param queue as it will be committed; what differs from the committed one is new
 * @param made the task that is being made, and the position of the call that makes it
 */
export async function dispatchTasks(
  execution: Execution,
  queue: Queue,
  made?: { number: number; position: number },
): Promise<Dispatched> {
  const dispatched: Dispatched = { queue, started: [], unit: {}, launch: [] };
  const waiting = runnableTasks(queue).filter(({ agent }) => agent !== null);
  if (waiting.length === 0) return dispatched;
  const room = execution.config.maxConcurrentAgents - (await countRunning(execution));
  for (const task of waiting.slice(0, Math.max(0, room))) {
    const { number } = task;
    const childId = deriveId(execution.row.id, `task ${number}`);
    const target = findTarget(execution, task.agent ?? "");
    const claimed = claimTask(dispatched.queue, number, { childId, isAutomatic: true });
    // Neither happens: a task is made only for an agent that may be started, and these are runnable.
    if ("refused" in target || "refused" in claimed) continue;
    const position = made?.number === number ? made.position : positionOfTask(execution, number);
    const decision = decide(execution, {
      position,
      ordinal: ORDINAL,
      kind: "dispatch",
      chosen: [{ option: `agent:${target.name}`, label: target.name, position: null, reason: null }],
      reason: whyNow(execution, queue, task),
      source: "runtime-rule",
      offers: offersFor(target),
    });
    const child = startOfChild(execution, {
      ...{ id: childId, target, task: task.prompt ?? "" },
      decision: decisionId(execution, position, ORDINAL),
    });
    dispatched.queue = claimed;
    dispatched.started.push({ number, handle: child.handle, agent: target.name });
    dispatched.unit = merged(dispatched.unit, decision, child.unit);
    dispatched.launch.push(...child.launch);
  }
  return dispatched;
}

function offersFor({ name, purpose }: Target): Offer[] {
  return [
    { key: `agent:${name}`, kind: "agent", label: name, description: purpose },
    {
      key: "wait",
      kind: "action",
      label: "Wait",
      description: "Only while a dependency is open or no more agents may run.",
    },
  ];
}

/** "4 agents may run at a time" */
export function roomWords({ config: { maxConcurrentAgents: most } }: Execution): string {
  return most === 1 ? "one agent may run at a time" : `${most} agents may run at a time`;
}

function whyNow(execution: Execution, queue: Queue, task: Task): string {
  const released = whyReleased(queue, task);
  if (!execution.tasks.includes(task)) return released;
  return `${released} It waited for room: ${roomWords(execution)}.`;
}

function whyReleased(queue: Queue, { number, blockedBy, createdAt }: Task): string {
  if (blockedBy.length === 0) return `Task ${number} has no dependencies.`;
  const ends = blockedBy.map((other) => ({ other, at: findTask(queue, other)?.finishedAt ?? "" }));
  const last = ends.reduce((a, b) => (b.at > a.at ? b : a));
  if (last.at <= createdAt) return `Task ${number} waits for nothing: ${taskWords(blockedBy)} had been completed.`;
  return `Task ${number} was released when task ${last.other} was completed.`;
}

/** Position of the call that made a task: the one whose result names it. */
function positionOfTask({ steps, messages }: Execution, number: number): number {
  for (const { kind, status, position, replyMessage } of steps) {
    if (kind !== "model" || status !== "completed" || replyMessage === null) continue;
    const reply = messages.get(replyMessage);
    const calls = reply?.role === "assistant" ? reply.calls : [];
    // Results follow their reply, and steps that of the reply, in the order of its calls.
    const nth = calls.findIndex(
      ({ name }, i) =>
        name === "agent__task_create" && numberIn(messages.get(replyMessage + 1 + i)?.content ?? null) === number,
    );
    if (nth !== -1) return position + 1 + nth;
  }
  throw new Error(`no call made task ${number}`);
}

function numberIn(result: string | null): number | null {
  const value: { task_id?: unknown } | null = JSON.parse(result ?? "null");
  return readTaskNumber(value?.task_id);
}
