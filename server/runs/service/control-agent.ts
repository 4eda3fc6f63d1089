import type pg from "pg";
import { v7 as newId } from "uuid";
import type { Offer } from "@/server/engine/offers";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import { storable } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { redactionOf } from "@/server/secrets/redaction";
import { inTransaction, type Reader } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { byPerson, decideOutside, STOP_OFFERS } from "./person-decision";

type Of = { scope: Scope; runId: string; agentRunId: string };
type Standing = { status: RunStatus };

const STEER_OFFERS: Offer[] = [
  {
    key: "steer",
    kind: "action",
    label: "Say something",
    description: "The agent reads it before its next model call.",
  },
  {
    key: "clear_todo",
    kind: "action",
    label: "Clear its todo list",
    description: "The list is thrown away before its next model call, and the agent is told so.",
  },
];

/** Ends one agent run and what works below it. Its parent is told so as the result, and decides what to do about it. */
export async function stopAgentRun({ scope, runId, agentRunId }: Of): Promise<Standing> {
  return inTransaction(async (client) => {
    const agent = await readAgentRun(client, { scope, runId, agentRunId }, { lock: false });
    if (agent.isRoot) throw new AppError("INVALID", "This agent leads the run. Stop the run instead.");
    const { rows } = await client.query<{ ids: string[] }>("select abort_agent_runs(array[$1::uuid], $2) as ids", [
      agentRunId,
      `stopped by ${scope.userName}`,
    ]);
    if (rows[0]?.ids.length) {
      const reason = `${scope.userName} stopped ${agent.name}.`;
      await decideOutside(
        client,
        byPerson(scope, { runId, agentRunId, kind: "stop", chosen: "stop", reason }, STOP_OFFERS),
      );
    }
    const { rows: now } = await client.query<Standing>("select status from agent_runs where id = $1", [agentRunId]);
    return { status: now[0]?.status ?? agent.status };
  });
}

/**
 * Says something to an agent at work, which reads it before its next model call; one that was about to answer thinks again.
 * INVALID when it has ended.
 */
export async function steerAgentRun({ text: said, ...of }: Of & { text: string }): Promise<{ steerId: string }> {
  const text = (await redactionOf(of.scope.workspaceId))(said);
  return inTransaction(async (client) => {
    await readListening(client, of);
    const reason = `${of.scope.userName}: ${text}`;
    return { steerId: await tell(client, of, { text: storable(text), clearsTodo: false, chosen: "steer", reason }) };
  });
}

/**
 * Throws an agent's todo list away before its next model call, and tells it so (LOK-TODO-10). INVALID when it has ended, or
 * has no list.
 */
export async function clearTodo(of: Of): Promise<{ steerId: string }> {
  return inTransaction(async (client) => {
    const agent = await readListening(client, of);
    if (!agent.hasTodo) throw new AppError("INVALID", `${agent.name} has no todo list.`);
    const reason = `${of.scope.userName} cleared the todo list of ${agent.name}.`;
    const text = "Your todo list has been cleared.";
    return { steerId: await tell(client, of, { text, clearsTodo: true, chosen: "clear_todo", reason }) };
  });
}

type Agent = Standing & { name: string; isRoot: boolean; hasTodo: boolean };

/** Throws INVALID for one that has ended. Locked: it does not end before the transaction does. */
async function readListening(client: pg.PoolClient, of: Of): Promise<Agent> {
  const agent = await readAgentRun(client, of, { lock: true });
  if (isTerminal(agent.status) || (agent.status === "interrupted" && !agent.isRoot)) {
    throw new AppError("INVALID", `${agent.name} has ended and reads nothing any more.`);
  }
  return agent;
}

type Told = { text: string; clearsTodo: boolean; chosen: "steer" | "clear_todo"; reason: string };

async function tell(
  client: pg.PoolClient,
  { scope, runId, agentRunId }: Of,
  { text, clearsTodo, chosen, reason }: Told,
): Promise<string> {
  const steerId = newId();
  await client.query(
    `insert into steers (id, workspace_id, run_id, agent_run_id, author, text, clears_todo)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [steerId, scope.workspaceId, runId, agentRunId, scope.userName, text, clearsTodo],
  );
  await decideOutside(client, byPerson(scope, { runId, agentRunId, kind: "steer", chosen, reason }, STEER_OFFERS));
  await client.query("select pg_notify('troupe_work', $1)", [`steered:${agentRunId}`]);
  return steerId;
}

/** `lock`: it does not end before the transaction does. */
async function readAgentRun(
  client: Reader,
  { scope, runId, agentRunId }: Of,
  { lock }: { lock: boolean },
): Promise<Agent> {
  const { rows } = await client.query<Agent>(
    `select status, name, parent_id is null as "isRoot", todo is not null as "hasTodo" from agent_runs
     where workspace_id = $1 and run_id = $2 and id = $3 ${lock ? "for no key update" : ""}`,
    [scope.workspaceId, runId, agentRunId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such agent run in this run.");
  return rows[0];
}
