import { z } from "zod";
import { decideCap } from "../decide-cap";
import { type Dispatched, dispatchTasks, roomWords } from "../dispatch-tasks";
import type { Task } from "../events";
import type { Execution } from "../execution";
import { settleTasks } from "../follow-tasks";
import { merged } from "../journal/merged";
import { maySpawn, plansInTasks } from "../may-spawn";
import type { PlannedCall } from "../next-step";
import { DEPTH_LIMIT, findTarget } from "../start-child";
import {
  addTask,
  blocksOf,
  dependentsOf,
  findTask,
  finishTask,
  openDependencies,
  type Refused,
  readTaskNumber,
  taskWords,
} from "../task-queue";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

/** A tool of the supervisor's queue. It sees the queue with all that has ended by now, and runs alone with it until its step is committed. */
function taskTool(
  { name, description, parameters }: { name: string; description: string; parameters: Record<string, unknown> },
  run: (execution: Execution, planned: PlannedCall) => Promise<CallOutcome>,
): EngineTool {
  return {
    kind: "tool",
    isSerial: true,
    offer: (briefed) =>
      maySpawn(briefed)
        ? { name, description, parameters: { type: "object", additionalProperties: false, ...parameters } }
        : null,
    async run(execution, planned) {
      await settleTasks(execution);
      return run(execution, planned);
    },
  };
}

const withTaskId = { properties: { task_id: { type: "integer" } }, required: ["task_id"] };

const optionalText = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullish()
    // Models fill in what they may leave out.
    .transform((text) => text || null);

const createArguments = z.object({
  subject: z.string().trim().min(1).max(200),
  description: optionalText(20_000),
  blocked_by: z.array(z.unknown()).max(200).nullish(),
  agent: optionalText(200),
  prompt: optionalText(100_000),
});

/** agent__task_create (LOK-TSK-01, LOK-TSK-02): one more task. One that names an agent and waits for nothing is started at once. */
export const createTask = withAgents(
  taskTool(
    {
      name: "agent__task_create",
      description:
        "Put a task into your queue. One that names an agent starts it by itself once the tasks it waits for are completed.",
      parameters: {
        properties: {
          subject: { type: "string", description: "What the task is, in a few words" },
          description: { type: "string" },
          blocked_by: {
            type: "array",
            items: { type: "integer" },
            description: "Ids of the tasks that must be completed before",
          },
          agent: {
            type: "string",
            description: "Agent to start with the prompt; leave it out to give the task away later",
          },
          prompt: { type: "string", description: "Everything the agent needs to know; it sees nothing else" },
        },
        required: ["subject"],
      },
    },
    async (execution, { call, position }) => {
      const parsed = createArguments.safeParse(argumentsOf(call));
      if (!parsed.success) {
        const message = `agent__task_create needs a subject, and whatever else is given must fit: ${z.prettifyError(parsed.error)}`;
        return refusal("malformed_arguments", message);
      }
      const { subject, description, blocked_by: blockedBy, agent, prompt } = parsed.data;
      if (agent) {
        if (!prompt)
          return refusal("malformed_arguments", "A task with an agent needs the prompt the agent is started with.");
        const target = findTarget(execution, agent);
        if ("refused" in target) {
          if (target.refused.code !== DEPTH_LIMIT) return refused(target);
          return { ...refused(target), unit: decideCap(execution, position, target.refused.message) };
        }
      }
      const { queue, warnings } = addTask(execution.tasks, {
        ...{ subject, description: description ?? "", agent, prompt },
        blockedBy: blockedBy ?? [],
        createdAt: execution.now(),
      });
      const number = queue.length;
      const dispatched = await dispatchTasks(execution, queue, { number, position });
      const task = findTask(dispatched.queue, number);
      const created = outcome(execution, dispatched, {
        task_id: number,
        ...(task?.agent ? { auto_dispatch: dispatchWords(execution, dispatched, task) } : {}),
        ...(warnings.length ? { warnings } : {}),
      });
      // Nothing but the cap on running agents keeps it.
      if (!task?.agent || task.status !== "pending") return created;
      const reason = `Task ${number} waits for room: ${roomWords(execution)}.`;
      return { ...created, unit: merged(created.unit ?? {}, decideCap(execution, position, reason, "wait")) };
    },
  ),
);

/** Where agents are started by tasks alone, the tool says which there are. */
function withAgents(tool: EngineTool): EngineTool {
  return {
    ...tool,
    offer: (briefed) => {
      const spec = tool.offer(briefed);
      if (!spec || !plansInTasks(briefed)) return spec;
      const agents = briefed.spawnable.map(({ name, purpose }) => `- ${name}: ${purpose}`);
      const { properties } = spec.parameters as { properties: Record<string, object> };
      const agent = { ...properties.agent, enum: briefed.spawnable.map(({ name }) => name) };
      return {
        ...{ ...spec, description: [spec.description, "Agents:", ...agents].join("\n") },
        parameters: { ...spec.parameters, properties: { ...properties, agent } },
      };
    },
  };
}

/** agent__task_list (LOK-TSK-04). */
export const listTasks = taskTool(
  { name: "agent__task_list", description: "List the tasks of your queue.", parameters: { properties: {} } },
  async (execution) => {
    const queue = execution.tasks;
    const { rows } = await execution.resources.pool.query<{ id: string; handle: string }>({
      name: "task_owners",
      text: "select id, handle from agent_runs where id = any($1)",
      values: [queue.flatMap(({ childId }) => childId ?? [])],
    });
    const owners = new Map(rows.map(({ id, handle }) => [id, handle]));
    const tasks = queue.map(({ number, subject, description, status, blockedBy, agent, prompt, childId }) => ({
      ...{ id: number, subject, description, status },
      owner: owners.get(childId ?? "") ?? null,
      ...{ blocked_by: blockedBy, blocks: blocksOf(queue, number), agent, prompt },
    }));
    return { value: { tasks } };
  },
);

/** agent__task_complete (LOK-TSK-05): releases what waited for it, and starts the agents that were named for that. */
export const completeTask = taskTool(
  {
    name: "agent__task_complete",
    description:
      "Mark a task of your queue as done. Tasks that an agent works on are completed by themselves when it is done.",
    parameters: withTaskId,
  },
  async (execution, { call }) => {
    const { task_id: id } = argumentsOf(call);
    const before = execution.tasks;
    const queue = finishTask(before, id, { status: "completed", at: execution.now() });
    if ("refused" in queue) {
      // It was completed when its agent was: nothing is wrong.
      if (queue.refused.code !== "task_completed") return refused(queue);
      return { value: { ...ok(id), message: queue.refused.message, newly_runnable: [], auto_dispatched: [] } };
    }
    const dispatched = await dispatchTasks(execution, queue);
    const released = queue.filter(
      ({ number, status }) => status === "pending" && findTask(before, number)?.status === "blocked",
    );
    return outcome(execution, dispatched, {
      task_id: readTaskNumber(id),
      newly_runnable: released.map(({ number, subject, description, agent }) => ({
        ...{ id: number, subject, description, agent },
      })),
      auto_dispatched: dispatched.started.map(({ number, handle, agent }) => ({ task_id: number, id: handle, agent })),
    });
  },
);

/** agent__task_fail (LOK-TSK-08). */
export const failTask = taskTool(
  {
    name: "agent__task_fail",
    description:
      "Mark a task of your queue as failed. What waits for it never begins. An agent that works on it is not stopped: agent__cancel does that.",
    parameters: withTaskId,
  },
  async (execution, { call }) => {
    const { task_id: id } = argumentsOf(call);
    const before = execution.tasks;
    const queue = finishTask(before, id, { status: "failed", at: execution.now() });
    const dependents = dependentsOf(before, readTaskNumber(id) ?? 0);
    if ("refused" in queue) {
      if (queue.refused.code !== "task_failed") return refused(queue);
      return { value: { ...ok(id), message: queue.refused.message, dependents } };
    }
    return { value: { ...ok(id), dependents }, unit: execution.changeTasks(before, queue) };
  },
);

function outcome(
  execution: Execution,
  { queue, unit, launch }: Dispatched,
  value: Record<string, unknown>,
): CallOutcome {
  return {
    value: { status: "ok", ...value },
    unit: merged(execution.changeTasks(execution.tasks, queue), unit),
    launch,
  };
}

const ok = (id: unknown) => ({ status: "ok", task_id: readTaskNumber(id) });

const refused = ({ refused: { code, message } }: Refused) => refusal(code, message);

/** What becomes of the agent of a new task. */
function dispatchWords(execution: Execution, { queue, started }: Dispatched, task: Task): Record<string, unknown> {
  const own = started.find(({ number }) => number === task.number);
  if (own) return { status: "ok", id: own.handle, agent: own.agent, message: "Started." };
  const open = openDependencies(queue, task);
  const message = open.length
    ? `It starts once ${taskWords(open)} ${open.length > 1 ? "are" : "is"} completed.`
    : `It starts once there is room: ${roomWords(execution)}.`;
  return { status: "waiting", message };
}
