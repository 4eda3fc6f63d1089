import { closeDb, db, pool } from "@/server/db";
import { env } from "@/server/env";
import { answerRequest } from "@/server/requests/service/answer";
import { type StoreRun, storeRun } from "@/server/runs/store-run";
import type { Scope } from "@/server/workspaces/scope";
import { type DatabaseKind, type FreshDatabase, freshDatabase } from "@/tests/support/databases";
import { type EffectServer, startEffectServer } from "@/tests/support/effect-server";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { type CallPlace, type ScriptedModel, startScriptedModel } from "@/tests/support/scripted-model";
import { markers } from "@/tests/support/scripted-model-scripts";
import type { KillAt, TestWorkerSettings } from "@/tests/support/test-worker-main";
import { startWorkerProcess, type TestWorker } from "./test-worker";

export type World = {
  kind: DatabaseKind;
  database: FreshDatabase;
  model: ScriptedModel;
  effects: EffectServer;
  honoursKey: boolean;
  scope: Scope;
  solo: TeamFixture;
  team: TeamFixture;
};

type WorldOptions = {
  honoursKey: boolean;
  latencyMs?: number;
  /** The model does not answer a call before this. */
  answersAfter?: (place: CallPlace) => Promise<unknown> | undefined;
  /** Where the database keeps its files. */
  directory?: string;
  /** Makes the first person, once there is a database. */
  owner?: () => Promise<Scope>;
};

/** A database, a far side and a counting model that all outlive the workers a test kills. */
export async function aWorld(kind: DatabaseKind, options: WorldOptions): Promise<World> {
  const database = await freshDatabase(kind, options.directory ? { directory: options.directory } : {});
  await switchDatabase(database.url);
  const scope = options.owner ? await options.owner() : await aMember(db(), await aWorkspace(db()));
  const { workspaceId } = scope;
  const worker = { tools: ["step"] };
  return {
    kind,
    database,
    honoursKey: options.honoursKey,
    model: await startScriptedModel(markers, {
      latencyMs: options.latencyMs ?? 5,
      ...(options.answersAfter ? { answersAfter: options.answersAfter } : {}),
    }),
    effects: await startEffectServer({ honoursKey: options.honoursKey }),
    scope,
    solo: await aTeam(db(), workspaceId, {
      supervisor: { tools: ["step", "user__ask"], canSpawnAgents: false },
      agents: [],
    }),
    team: await aTeam(db(), workspaceId, { supervisor: { maxConcurrentAgents: 8 }, agents: [worker] }),
  };
}

/** The product keeps one pool a process: what a late comer opened on the database before this one would go on being used. */
export async function switchDatabase(url: string): Promise<void> {
  await closeDb();
  process.env.DATABASE_URL = url;
  env().DATABASE_URL = url;
}

export async function endWorld(world: World): Promise<void> {
  await closeDb();
  await world.model.close();
  await world.effects.close();
  await world.database.stop();
}

export function startRunOf(world: World, team: TeamFixture, input: string): Promise<string> {
  return storeRun(runOf(world, team, input));
}

export function runOf(world: World, team: TeamFixture, input: string): StoreRun {
  return {
    workspaceId: world.scope.workspaceId,
    userId: world.scope.userId,
    teamId: team.teamId,
    teamVersionId: team.teamVersionId,
    root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
    input,
    model: "scripted",
  };
}

export function startTestWorker(
  world: World,
  killAt?: KillAt,
  options: Pick<
    TestWorkerSettings,
    "indexes" | "traces" | "webhooksKey" | "sameCalls" | "clockSkewMs" | "mostAttempts" | "mostRuns" | "mayEnd"
  > & {
    databaseUrl?: string;
  } = {},
): Promise<TestWorker> {
  return startWorkerProcess({
    databaseUrl: world.database.url,
    ...options,
    modelUrl: world.model.url,
    effectUrl: world.effects.url,
    honoursKey: world.honoursKey,
    ...(killAt ? { killAt } : {}),
  });
}

/** Waits until the condition holds; the database may be away meanwhile. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = 240_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what} did not happen in ${timeoutMs / 1000} s`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export async function countOf(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(text, values);
  return rows[0]?.n ?? 0;
}

/**
 * The person: looks at the far side and answers each open request about an uncertain effect, twice, to show that the
 * second answer changes nothing.
 */
export async function answerOpen(world: World): Promise<void> {
  const { rows } = await pool().query<{ id: string; agent_run_id: string; call: { arguments: string } }>(
    "select id, agent_run_id, call from human_requests where status = 'open' and kind = 'uncertain_effect'",
  );
  for (const row of rows) {
    const { i } = JSON.parse(row.call.arguments) as { i: number };
    const happened = world.effects.applied().has(`${row.agent_run_id}/${i}`);
    const input = { requestId: row.id, answer: happened ? "happened" : "retry" };
    await answerRequest({ scope: world.scope, input });
    const second = await answerRequest({ scope: world.scope, input: { ...input, answer: "retry" } });
    if (second.counted) throw new Error("a second answer was counted");
  }
}

/** Answers what is open until all runs have ended. */
export async function answerUntilEnded(world: World, runIds: readonly string[]): Promise<void> {
  await until("the end of all runs", async () => {
    await answerOpen(world);
    const { rows } = await pool().query<{ what: string }>(
      `select format('%s %s, epoch %s of %s, workflow %s of %s', a.status, a.task, a.epoch, a.worker_id, w.status, w.executor_id) as what
       from agent_runs a left join dbos.workflow_status w on w.workflow_uuid = a.id::text
       where a.run_id = any($1) and not is_terminal(a.status) limit 5`,
      [runIds],
    );
    // Shown if it takes too long.
    if (rows.length > 0) throw new Error(`not ended: ${rows.map(({ what }) => what).join("; ")}`);
    const ended = await countOf(
      "select count(*)::int as n from runs where id = any($1) and status in ('completed', 'failed', 'aborted')",
      [runIds],
    );
    return ended === runIds.length;
  });
}
