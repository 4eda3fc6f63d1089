import { z } from "zod";
import { turnDecisionId } from "../decide";
import { decideCap } from "../decide-cap";
import type { Execution } from "../execution";
import { settleTasks } from "../follow-tasks";
import { deriveId } from "../ids";
import { merged } from "../journal/merged";
import { maySpawn, plansInTasks } from "../may-spawn";
import type { PlannedCall } from "../next-step";
import { countRunning, DEPTH_LIMIT, findTarget, startOfChild } from "../start-child";
import { claimTask, type Queue, readTaskNumber } from "../task-queue";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

const spawnArguments = z.object({
  agent: z.string(),
  prompt: z.string().trim().min(1),
  reason: z.string().trim().min(1),
  task_id: z.union([z.string(), z.number()]).nullish(),
});

/** agent__spawn (LOK-SUP-01…04): starts a child and returns at once. Calls of one turn go through spawnAgents() together. */
export const spawnAgent: EngineTool = {
  kind: "tool",
  isSerial: true,
  offer: (briefed) =>
    maySpawn(briefed) && !plansInTasks(briefed)
      ? {
          name: "agent__spawn",
          description: `Start another agent on a piece of work and return at once with its id. Agents:\n${briefed.spawnable
            .map(({ name, purpose }) => `- ${name}: ${purpose}`)
            .join("\n")}`,
          parameters: {
            type: "object",
            properties: {
              agent: { type: "string", enum: briefed.spawnable.map(({ name }) => name) },
              prompt: { type: "string", description: "Everything the agent needs to know; it sees nothing else" },
              reason: { type: "string", description: "Why this agent, and not another or none" },
              task_id: {
                type: "integer",
                description: "Task of your queue that it works on: one that waits for nothing and that nobody works on",
              },
            },
            required: ["agent", "prompt", "reason"],
            additionalProperties: false,
          },
        }
      : null,
  async run(execution, planned) {
    return (await spawnAgents(execution, [planned])).get(planned) ?? refusal("internal", "The agent was not started.");
  },
};

/**
 * Judges the spawns of one turn against one count of running children and one state of the queue; a refusal is a result, not an exception.
 * Only within execution.alone().
 */
export async function spawnAgents(
  execution: Execution,
  calls: readonly PlannedCall[],
): Promise<Map<PlannedCall, CallOutcome>> {
  await settleTasks(execution);
  let running = await countRunning(execution);
  let queue = execution.tasks;
  const outcomes = new Map<PlannedCall, CallOutcome>();
  for (const planned of calls) {
    const spawned = spawn(execution, planned, { running, queue });
    if (spawned.outcome.launch) running += 1;
    queue = spawned.queue;
    outcomes.set(planned, spawned.outcome);
  }
  return outcomes;
}

function spawn(
  execution: Execution,
  planned: PlannedCall,
  { running, queue }: { running: number; queue: Queue },
): { outcome: CallOutcome; queue: Queue } {
  const { config, row } = execution;
  const refused = (code: string, message: string) => ({ outcome: refusal(code, message), queue });
  const capped = (code: string, message: string) => ({
    outcome: { ...refusal(code, message), unit: decideCap(execution, planned.position, message) },
    queue,
  });
  const parsed = spawnArguments.safeParse(argumentsOf(planned.call));
  if (!parsed.success) {
    return refused(
      "malformed_arguments",
      `agent__spawn needs agent, prompt and reason: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { agent, prompt, task_id: taskId } = parsed.data;
  const target = findTarget(execution, agent);
  if ("refused" in target) {
    const { code, message } = target.refused;
    return code === DEPTH_LIMIT ? capped(code, message) : refused(code, message);
  }
  if (running >= config.maxConcurrentAgents) {
    return capped(
      "concurrency_limit",
      `${running} agents are running, and ${config.maxConcurrentAgents} may. Collect or cancel one first.`,
    );
  }
  const id = deriveId(row.id, `child ${planned.position}`);
  // Models fill in what they may leave out.
  const isOfTask = taskId !== undefined && taskId !== null && taskId !== "";
  const claimed = isOfTask ? claimTask(queue, taskId, { childId: id, isAutomatic: false }) : queue;
  if ("refused" in claimed) return refused(claimed.refused.code, claimed.refused.message);
  const decision = turnDecisionId(execution, planned.position);
  const { handle, unit, launch } = startOfChild(execution, { id, target, task: prompt, decision });
  const value = {
    ...{ status: "ok", id: handle, agent: target.name, message: "Started. Take its result with agent__collect." },
    ...(isOfTask ? { task_id: readTaskNumber(taskId) } : {}),
  };
  return {
    outcome: { value, launch, unit: merged(execution.changeTasks(queue, claimed), unit) },
    queue: claimed,
  };
}
