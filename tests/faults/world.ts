import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { closeDb, db, pool } from "@/server/db";
import { env } from "@/server/env";
import { answerRequest } from "@/server/requests/service";
import { storeRun } from "@/server/runs/store-run";
import type { Scope } from "@/server/workspaces/scope";
import { type DatabaseKind, type FreshDatabase, freshDatabase } from "@/tests/support/databases";
import { type EffectServer, startEffectServer } from "@/tests/support/effect-server";
import { aMember, aTeam, aWorkspace, type TeamFixture } from "@/tests/support/factories";
import { type ScriptedModel, startScriptedModel } from "@/tests/support/scripted-model";
import { markers } from "@/tests/support/scripted-model-scripts";
import type { TestWorkerSettings } from "@/tests/support/test-worker-main";

const WORKER = fileURLToPath(new URL("../support/test-worker-main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

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

/** A database, a far side and a counting model that all outlive the workers a test kills. */
export async function aWorld(kind: DatabaseKind, options: { honoursKey: boolean; latencyMs?: number }): Promise<World> {
  const database = await freshDatabase(kind);
  process.env.DATABASE_URL = database.url;
  env().DATABASE_URL = database.url;
  const workspaceId = await aWorkspace(db());
  const worker = { tools: ["step"] };
  return {
    kind,
    database,
    honoursKey: options.honoursKey,
    model: await startScriptedModel(markers, { latencyMs: options.latencyMs ?? 5 }),
    effects: await startEffectServer({ honoursKey: options.honoursKey }),
    scope: await aMember(db(), workspaceId),
    solo: await aTeam(db(), workspaceId, {
      supervisor: { tools: ["step", "user__ask"], canSpawnAgents: false },
      agents: [],
    }),
    team: await aTeam(db(), workspaceId, { supervisor: { maxConcurrentAgents: 8 }, agents: [worker] }),
  };
}

export async function endWorld(world: World): Promise<void> {
  await closeDb();
  await world.model.close();
  await world.effects.close();
  await world.database.stop();
}

export function startRunOf(world: World, team: TeamFixture, input: string): Promise<string> {
  return storeRun({
    workspaceId: world.scope.workspaceId,
    userId: world.scope.userId,
    teamId: team.teamId,
    teamVersionId: team.teamVersionId,
    root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
    input,
    model: "scripted",
  });
}

export type TestWorker = { process: ChildProcess; ended: Promise<void>; kill(): Promise<void> };

export async function startTestWorker(world: World, killAt?: TestWorkerSettings["killAt"]): Promise<TestWorker> {
  const settings: TestWorkerSettings = {
    databaseUrl: world.database.url,
    modelUrl: world.model.url,
    effectUrl: world.effects.url,
    honoursKey: world.honoursKey,
    ...(killAt ? { killAt } : {}),
  };
  const child = spawn(process.execPath, ["--import", "tsx", WORKER, JSON.stringify(settings)], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: process.env.FAULTS_LOG ?? "silent" },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", () => resolve());
    child.once("exit", (code, signal) => reject(new Error(`the worker ended before it was ready (${code ?? signal})`)));
  }).catch((error) => {
    // A kill point may be reached before the line is read.
    if (!killAt) throw error;
  });
  return {
    process: child,
    ended,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until the condition holds; the database may be away meanwhile. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = 90_000): Promise<void> {
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
    const ended = await countOf(
      "select count(*)::int as n from runs where id = any($1) and status in ('completed', 'failed', 'aborted')",
      [runIds],
    );
    return ended === runIds.length;
  });
}
