import type { Execution } from "./execution";
import { handleOf } from "./ids";
import type { JournalUnit } from "./journal/unit";
import type { Refused } from "./task-queue";

/** Told to the model. */
export const DEPTH_LIMIT = "depth_limit";

export type Target = Execution["spawnable"][number];

/** The agent a name stands for, or why this agent run may not start it. */
export function findTarget({ config, row, spawnable }: Execution, agent: string): Target | Refused {
  const target = spawnable.find(({ name }) => name === agent);
  if (!target) {
    const names = spawnable.map(({ name }) => name).join(", ");
    const message = `There is no agent named "${agent}". Your agents: ${names}.`;
    return { refused: { code: "unknown_agent", message } };
  }
  if (row.depth + 1 > config.maxAgentDepth) {
    const message = `Agents may be nested ${config.maxAgentDepth} deep; do this yourself.`;
    return { refused: { code: DEPTH_LIMIT, message } };
  }
  return target;
}

/** How many children are at work; what has ended or was interrupted holds no place (LOK-SUP-02). */
export async function countRunning({ resources, row }: Execution): Promise<number> {
  const { rows } = await resources.pool.query<{ running: number }>({
    name: "running_children",
    text: "select count(*)::int as running from agent_runs where parent_id = $1 and not is_terminal(status) and status <> 'interrupted'",
    values: [row.id],
  });
  return rows[0]?.running ?? 0;
}

/** The rows that bring a child into being, linked to the decision that started it. */
export function startOfChild(
  execution: Execution,
  { id, target, task, decision }: { id: string; target: Target; task: string; decision: string },
): { handle: string; unit: JournalUnit; launch: string[] } {
  const { row, context } = execution;
  const { name, agentVersionId, nodeId } = target;
  const handle = handleOf(id, name);
  const depth = row.depth + 1;
  return {
    handle,
    launch: [id],
    unit: {
      children: [
        {
          ...{ id, decision, handle, name, version: agentVersionId, node: nodeId, depth, task },
          ...(context ? { context } : {}),
        },
      ],
      events: [
        { agentRunId: id, body: { kind: "agent.created", agent: { id, createdAt: execution.now() } } },
        ...(context ? [{ agentRunId: id, body: { kind: "agent.context" as const, context } }] : []),
      ],
    },
  };
}
