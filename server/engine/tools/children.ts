import type { Execution } from "../execution";
import { isTerminal, type RunStatus } from "../state";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

type Child = {
  id: string;
  handle: string;
  name: string;
  status: RunStatus;
  reason: string | null;
  result: string | null;
  collected: boolean;
};

const COLUMNS = "id, handle, name, status, status_reason as reason, result, collected_at is not null as collected";

/** What a handle can look like. A model may write anything, also what Postgres takes for no text at all. */
const HANDLE = /^agent_[a-z0-9-]*_[0-9a-f]{8}$/;

async function childByHandle(execution: Execution, handle: unknown): Promise<Child | null> {
  if (typeof handle !== "string" || !HANDLE.test(handle)) return null;
  const { rows } = await execution.resources.pool.query<Child>({
    name: "child_by_handle",
    text: `select ${COLUMNS} from agent_runs where parent_id = $1 and handle = $2`,
    values: [execution.row.id, handle],
  });
  return rows[0] ?? null;
}

/** A child's end as data: its failure never is the parent's (LOK-SUP-14). Handed over once, also to two calls of one turn. */
function handOver(execution: Execution, child: Child): CallOutcome {
  if (child.collected || execution.handedOver.has(child.id)) return alreadyCollected(child);
  execution.handedOver.add(child.id);
  return {
    value: {
      status: "completed",
      id: child.handle,
      agent: child.name,
      exit_status: child.status,
      output: child.result ?? "",
      ...(child.status === "completed" ? {} : { message: child.reason ?? child.status }),
    },
    unit: { agent: { collected: [child.id] } },
  };
}

function unknownChild(handle: unknown): CallOutcome {
  const message = `There is no agent run ${JSON.stringify(handle ?? null).slice(0, 100)} of yours.`;
  return { value: { status: "error", message }, error: { code: "unknown_agent_run", message } };
}

const forSpawners =
  (name: string, description: string, withId: boolean): EngineTool["offer"] =>
  ({ config, journal: { opened } }) =>
    config.canSpawnAgents && opened.spawnable.length
      ? {
          name,
          description,
          parameters: {
            type: "object",
            properties: withId ? { id: { type: "string", description: "Id given by agent__spawn" } } : {},
            required: withId ? ["id"] : [],
            additionalProperties: false,
          },
        }
      : null;

/** agent__check (LOK-SUP-05): looks without waiting; a finished child is collected. */
export const checkAgent: EngineTool = {
  kind: "tool",
  offer: forSpawners(
    "agent__check",
    "Look whether an agent has finished, without waiting; if so, take its result.",
    true,
  ),
  async run(execution, { call }) {
    const { id } = argumentsOf(call);
    const child = await childByHandle(execution, id);
    if (!child) return unknownChild(id);
    if (!hasEnded(child.status)) return { value: { status: "pending", id: child.handle, message: "Still working." } };
    return handOver(execution, child);
  },
};

/** agent__collect (LOK-SUP-06, LOK-SUP-07): waits for the end and hands the result over once. */
export const collectAgent: EngineTool = {
  kind: "tool",
  offer: forSpawners(
    "agent__collect",
    "Wait for an agent to finish and take its result. A result can be taken once.",
    true,
  ),
  async run(execution, { call }) {
    const { id } = argumentsOf(call);
    const child = await childByHandle(execution, id);
    if (!child) return unknownChild(id);
    if (child.collected) return alreadyCollected(child);
    return handOver(execution, await ended(execution, child.id));
  },
};

/** Over for its parent: also when no worker could carry it on. */
function hasEnded(status: RunStatus): boolean {
  return isTerminal(status) || status === "interrupted";
}

/** Waits until a child has ended. */
export function ended(execution: Execution, childId: string): Promise<Child> {
  return execution.resources.hub.waitFor("ended", childId, execution.signal, async () => {
    const { rows } = await execution.resources.pool.query<Child>({
      name: "child_by_id",
      text: `select ${COLUMNS} from agent_runs where id = $1`,
      values: [childId],
    });
    return rows[0] && hasEnded(rows[0].status) ? rows[0] : undefined;
  });
}

function alreadyCollected(child: Child): CallOutcome {
  return refusal(
    "already_collected",
    `The result of ${child.handle} may already have been collected; it is given once.`,
  );
}

/** agent__list (LOK-SUP-08). */
export const listAgents: EngineTool = {
  kind: "tool",
  offer: forSpawners("agent__list", "List the agents you started and whether they are still working.", false),
  async run(execution) {
    const { rows } = await execution.resources.pool.query<Child>({
      name: "children",
      text: `select ${COLUMNS} from agent_runs where parent_id = $1 and collected_at is null order by created_at, id`,
      values: [execution.row.id],
    });
    const agents = rows.map(({ handle, name, status }) => ({
      id: handle,
      agent: name,
      status: hasEnded(status) ? "finished" : "running",
    }));
    return {
      value: {
        active_count: agents.filter(({ status }) => status === "running").length,
        max_concurrent: execution.config.maxConcurrentAgents,
        agents,
      },
    };
  },
};

/** agent__cancel (LOK-SUP-09): ends a child and everything below it. */
export const cancelAgent: EngineTool = {
  kind: "tool",
  offer: forSpawners("agent__cancel", "Stop an agent you started. What it did so far stays in the record.", true),
  async run(execution, { call }) {
    const { id } = argumentsOf(call);
    const child = await childByHandle(execution, id);
    if (!child) return unknownChild(id);
    if (isTerminal(child.status))
      return { value: { status: "ok", id: child.handle, message: "It had already finished." } };
    return {
      value: { status: "ok", id: child.handle, message: "Stopped." },
      unit: { aborts: [{ id: child.id, reason: "cancelled_by_parent" }], agent: { collected: [child.id] } },
    };
  },
};
