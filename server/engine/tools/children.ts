import type { Execution } from "../execution";
import { isHandle } from "../ids";
import { merged } from "../journal/merged";
import { maySpawn } from "../may-spawn";
import { REPLY_TOOL, type Told } from "../pending-escalations";
import { hasEnded, isTerminal, type RunStatus } from "../state";
import { type Handed, summariseResult } from "../summarise-result";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, refusal } from "./engine-tool";

type Child = {
  id: string;
  handle: string;
  name: string;
  task: string;
  status: RunStatus;
  reason: string | null;
  result: string | null;
  collected: boolean;
};

const COLUMNS =
  "id, handle, name, task, status, status_reason as reason, result, collected_at is not null as collected";

async function childByHandle(execution: Execution, handle: unknown): Promise<Child | null> {
  if (!isHandle(handle)) return null;
  const { rows } = await execution.resources.pool.query<Child>({
    name: "child_by_handle",
    text: `select ${COLUMNS} from agent_runs where parent_id = $1 and handle = $2`,
    values: [execution.row.id, handle],
  });
  return rows[0] ?? null;
}

/**
 * A child's end as data: its failure never is the parent's (LOK-SUP-14). Handed over once, also to two calls of one turn; what it
 * completed with is condensed when it is long (LOK-SUP-16).
 */
async function handOver(execution: Execution, position: number, child: Child): Promise<CallOutcome> {
  if (child.collected || execution.handedOver.has(child.id)) return alreadyCollected(child);
  execution.handedOver.add(child.id);
  const result = child.result ?? "";
  const handed: Handed =
    child.status === "completed"
      ? await summariseResult(execution, position, { ...child, result })
      : { value: { output: result }, unit: {} };
  return {
    value: {
      status: "completed",
      id: child.handle,
      agent: child.name,
      exit_status: child.status,
      ...handed.value,
      ...(child.status === "completed" ? {} : { message: child.reason ?? child.status }),
    },
    unit: merged(handed.unit, { agent: { collected: [child.id] } }),
    ...(handed.made ? { made: handed.made } : {}),
  };
}

function unknownChild(handle: unknown): CallOutcome {
  const message = `There is no agent run ${JSON.stringify(handle ?? null).slice(0, 100)} of yours.`;
  return { value: { status: "error", message }, error: { code: "unknown_agent_run", message } };
}

const forSpawners =
  (name: string, description: string, withId: boolean): EngineTool["offer"] =>
  (briefed) =>
    maySpawn(briefed)
      ? {
          name,
          description,
          parameters: {
            type: "object",
            properties: withId ? { id: { type: "string", description: "Id the agent was started with" } } : {},
            required: withId ? ["id"] : [],
            additionalProperties: false,
          },
        }
      : null;

/** agent__check (LOK-SUP-05): looks without waiting; a finished child is collected. Lists all that agents below ask. */
export const checkAgent: EngineTool = {
  kind: "tool",
  offer: forSpawners(
    "agent__check",
    "Look whether an agent has finished, without waiting; if so, take its result.",
    true,
  ),
  async run(execution, { call, position }) {
    const { id } = argumentsOf(call);
    const child = await childByHandle(execution, id);
    if (!child) return unknownChild(id);
    if (!hasEnded(child.status)) return stillWorking(child, await execution.escalations.list());
    return handOver(execution, position, child);
  },
};

/**
 * agent__collect (LOK-SUP-06, LOK-SUP-07): waits for the end and hands the result over once. It comes back early when any agent below
 * asks something: for as long as a call of this turn waits, the model can answer nobody. Collected again it waits on.
 */
export const collectAgent: EngineTool = {
  kind: "tool",
  offer: forSpawners(
    "agent__collect",
    "Wait for an agent to finish and take its result. A result can be taken once.",
    true,
  ),
  async run(execution, { call, position }) {
    const { id } = argumentsOf(call);
    const child = await childByHandle(execution, id);
    if (!child) return unknownChild(id);
    if (child.collected) return alreadyCollected(child);
    // To wait is to have got somewhere: a child that ends its workers must not use up its parent's attempts.
    if (!execution.hasRecorded && !hasEnded(child.status))
      await execution.journal.append({ agent: { recorded: true } });
    const first = await endedOrAsked(execution, child.id);
    if (first.end) return handOver(execution, position, first.end);
    return stillWorking(child, first.told, "Another result of this turn says what is asked.");
  },
};

/** With what agents below ask; `otherwise` is said where nothing of that is to be told. */
function stillWorking({ handle }: Child, { pending, unit }: Told, otherwise = ""): CallOutcome {
  const value = { status: "pending", id: handle, message: `Still working. ${otherwise}`.trim() };
  if (pending.length === 0) return { value };
  const message = `Still working. Reply with ${REPLY_TOOL} to what is asked, then look again.`;
  return { value: { ...value, message, pending_escalations: pending }, unit };
}

/** Waits until a child has ended. */
export function ended(execution: Execution, childId: string): Promise<Child> {
  return execution.resources.hub.waitFor("ended", childId, execution.signal, () => endOf(execution, childId));
}

/** Waits until a child has ended, or an agent anywhere below asks what the model has not had its turn to answer. */
function endedOrAsked(execution: Execution, childId: string): Promise<{ end: Child } | { end: null; told: Told }> {
  const hints = [`ended:${childId}`, `escalated:${execution.row.id}`] as const;
  return execution.resources.hub.waitForAny(hints, execution.signal, async () => {
    const end = await endOf(execution, childId);
    if (end) return { end };
    const told = await execution.escalations.news();
    return told ? { end: null, told } : undefined;
  });
}

async function endOf(execution: Execution, childId: string): Promise<Child | undefined> {
  const { rows } = await execution.resources.pool.query<Child>({
    name: "child_by_id",
    text: `select ${COLUMNS} from agent_runs where id = $1`,
    values: [childId],
  });
  return rows[0] && hasEnded(rows[0].status) ? rows[0] : undefined;
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
