import { z } from "zod";
import { turnDecisionId } from "../decide";
import type { Execution } from "../execution";
import { deriveId, handleOf } from "../ids";
import type { PlannedCall } from "../next-step";
import { queuedAgent } from "../queued-agent";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

const spawnArguments = z.object({
  agent: z.string(),
  prompt: z.string().trim().min(1),
  reason: z.string().trim().min(1),
  // Accepted and unused until the task queue links it (LOK-SUP-04).
  task_id: z.string().optional(),
});

/** agent__spawn (LOK-SUP-01…04): starts a child and returns at once. Calls of one turn go through spawnAgents() together. */
export const spawnAgent: EngineTool = {
  kind: "tool",
  offer: ({ config, journal: { opened } }) =>
    config.canSpawnAgents && opened.spawnable.length
      ? {
          name: "agent__spawn",
          description: `Start another agent on a piece of work and return at once with its id. Agents:\n${opened.spawnable
            .map(({ name, purpose }) => `- ${name}: ${purpose}`)
            .join("\n")}`,
          parameters: {
            type: "object",
            properties: {
              agent: { type: "string", enum: opened.spawnable.map(({ name }) => name) },
              prompt: { type: "string", description: "Everything the agent needs to know; it sees nothing else" },
              reason: { type: "string", description: "Why this agent, and not another or none" },
              task_id: { type: "string" },
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

/** Judges the spawns of one turn against one count of running children; a refusal is a result, not an exception. */
export async function spawnAgents(
  execution: Execution,
  calls: readonly PlannedCall[],
): Promise<Map<PlannedCall, CallOutcome>> {
  const { rows } = await execution.resources.pool.query<{ running: number }>({
    name: "running_children",
    text: "select count(*)::int as running from agent_runs where parent_id = $1 and not is_terminal(status) and status <> 'interrupted'",
    values: [execution.row.id],
  });
  let running = rows[0]?.running ?? 0;
  const outcomes = new Map<PlannedCall, CallOutcome>();
  for (const planned of calls) {
    const outcome = spawn(execution, planned, running);
    if (outcome.launch) running += 1;
    outcomes.set(planned, outcome);
  }
  return outcomes;
}

function spawn(execution: Execution, planned: PlannedCall, running: number): CallOutcome {
  const { config, row, journal } = execution;
  const parsed = spawnArguments.safeParse(argumentsOf(planned.call));
  if (!parsed.success) {
    return refusal(
      "malformed_arguments",
      `agent__spawn needs agent, prompt and reason: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { agent, prompt } = parsed.data;
  const target = journal.opened.spawnable.find(({ name }) => name === agent);
  if (!target) {
    const names = journal.opened.spawnable.map(({ name }) => name).join(", ");
    return refusal("unknown_agent", `There is no agent named "${agent}". Your agents: ${names}.`);
  }
  if (row.depth + 1 > config.maxAgentDepth) {
    return refusal("depth_limit", `Agents may be nested ${config.maxAgentDepth} deep; do this yourself.`);
  }
  if (running >= config.maxConcurrentAgents) {
    return refusal(
      "concurrency_limit",
      `${running} agents are running, and ${config.maxConcurrentAgents} may. Collect or cancel one first.`,
    );
  }
  const id = deriveId(row.id, `child ${planned.position}`);
  const handle = handleOf(id, target.name);
  return {
    value: { status: "ok", id: handle, agent: target.name, message: "Started. Take its result with agent__collect." },
    ...startOfChild(execution, { id, handle, target, task: prompt, position: planned.position }),
  };
}

/** The rows that bring a child into being, linked to the decision that spawned it. */
export function startOfChild(
  execution: Execution,
  child: {
    id: string;
    handle: string;
    target: Execution["journal"]["opened"]["spawnable"][number];
    task: string;
    position: number;
  },
): Required<Pick<CallOutcome, "unit" | "launch">> {
  const { row } = execution;
  const decision = turnDecisionId(execution, child.position);
  const agent = queuedAgent({
    id: child.id,
    parentId: row.id,
    spawnedById: decision,
    handle: child.handle,
    name: child.target.name,
    depth: row.depth + 1,
    task: child.task,
    createdAt: execution.now(),
  });
  return {
    launch: [child.id],
    unit: {
      children: [
        {
          id: child.id,
          decision,
          handle: child.handle,
          name: child.target.name,
          version: child.target.agentVersionId,
          node: child.target.nodeId,
          depth: row.depth + 1,
          task: child.task,
        },
      ],
      events: [{ agentRunId: child.id, body: { kind: "agent.created", agent } }],
    },
  };
}
