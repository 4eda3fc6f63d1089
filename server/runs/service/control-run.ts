import type { Offer } from "@/server/engine/offers";
import type { SpendLimits } from "@/server/engine/run-limits";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { inTransaction, type Reader } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { assertNotPaused } from "../store-run";
import { byPerson, decideOutside, STOP_OFFERS } from "./person-decision";

type Of = { scope: Scope; runId: string };
export type RunAndRoot = { runId: string; rootId: string };
type Standing = { status: RunStatus };

const PAUSE_OFFERS: Offer[] = [
  { key: "pause", kind: "action", label: "Pause", description: "Begin nothing more until somebody resumes it." },
  { key: "let_run", kind: "action", label: "Let it run", description: "Do nothing." },
];
const RESUME_OFFERS: Offer[] = [
  { key: "resume", kind: "action", label: "Resume", description: "Go on after the last recorded step." },
  { key: "leave", kind: "action", label: "Leave it", description: "It stays as it is." },
];
/** Ends a run with everything in it. What was done stays. A run that has ended stays as it is. */
export async function stopRun({ scope, runId }: Of): Promise<Standing> {
  return inTransaction(async (client) => {
    const run = await readRun(client, { scope, runId });
    if (isTerminal(run.status)) return { status: run.status };
    await stopOne(client, scope, { runId, rootId: run.rootId });
    return { status: await statusOf(client, runId) };
  });
}

/**
 * Begins nothing more in a run until it is resumed. Calls that are under way end and are recorded; open questions stay open and may
 * be answered meanwhile. A run that is held or has ended stays as it is.
 */
export async function pauseRun({ scope, runId }: Of): Promise<Standing> {
  return inTransaction(async (client) => {
    const run = await readRun(client, { scope, runId });
    await pauseOne(client, scope, { runId, rootId: run.rootId });
    return { status: await statusOf(client, runId) };
  });
}

/**
 * Lets a paused, suspended or interrupted run go on after its last recorded step (AGT-LRR-07). NOT_FOUND for an unknown run, which
 * is never started anew (AGT-LRR-08); INVALID for limits below what it has spent, when it has ended, or while everything in the workspace is paused.
 */
export async function resumeRun({ scope, runId, limits }: Of & { limits?: SpendLimits }): Promise<Standing> {
  return inTransaction(async (client) => {
    const run = await readRun(client, { scope, runId });
    if (isTerminal(run.status)) throw new AppError("INVALID", "The run has ended. Run it again instead.");
    await assertNotPaused(client, scope.workspaceId);
    await resumeOne(client, scope, { runId, rootId: run.rootId });
    // After it, so that agent runs are locked before their run, as everywhere.
    if (limits) await changeLimits(client, { runId, limits });
    return { status: await statusOf(client, runId) };
  });
}

/** Throws INVALID for a limit below what was spent or is reserved: the run would stand still again at once. */
async function changeLimits(client: Reader, { runId, limits }: { runId: string; limits: SpendLimits }): Promise<void> {
  const { rows } = await client.query<{ cost: number; tokens: number }>(
    `select (r.cost_nano_usd + coalesce(sum(q.cost_nano_usd), 0))::float8 as cost,
       (r.input_tokens + r.output_tokens + coalesce(sum(q.tokens), 0))::float8 as tokens
     from runs r left join reservations q on q.run_id = r.id and q.status in ('reserved', 'unconfirmed')
     where r.id = $1 group by r.id`,
    [runId],
  );
  const { cost = 0, tokens = 0 } = rows[0] ?? {};
  if (limits.maxCostNanoUsd !== null && limits.maxCostNanoUsd <= cost) {
    throw new AppError("INVALID", "The run has spent or reserved more than that already. Give it more, or no limit.");
  }
  if (limits.maxTokens !== null && limits.maxTokens <= tokens) {
    throw new AppError(
      "INVALID",
      "The run has used or reserved more tokens than that already. Give it more, or no limit.",
    );
  }
  await client.query("update runs set limits = limits || $2 where id = $1", [runId, JSON.stringify(limits)]);
}

/** Inside a transaction of the caller; false when it had ended. */
export async function stopOne(client: Reader, scope: Scope, { runId, rootId }: RunAndRoot): Promise<boolean> {
  const reason = `stopped by ${scope.userName}`;
  const decision = byPerson(scope, { runId, agentRunId: rootId, kind: "stop", chosen: "stop", reason }, STOP_OFFERS);
  const { rows } = await client.query<{ ended: boolean }>("select end_run($1, $2, 'stopped', $3) as ended", [
    runId,
    reason,
    decision,
  ]);
  return rows[0]?.ended ?? false;
}

/** Inside a transaction of the caller; false when nothing in it moved. */
export async function pauseOne(client: Reader, scope: Scope, { runId, rootId }: RunAndRoot): Promise<boolean> {
  const reason = `paused by ${scope.userName}`;
  const { rows } = await client.query<{ ids: string[] }>("select hold_run($1, 'paused', $2) as ids", [runId, reason]);
  if (!rows[0]?.ids.length) return false;
  await decideOutside(
    client,
    byPerson(scope, { runId, agentRunId: rootId, kind: "pause", chosen: "pause", reason }, PAUSE_OFFERS),
  );
  return true;
}

/** Inside a transaction of the caller; false when it was not held. */
export async function resumeOne(client: Reader, scope: Scope, { runId, rootId }: RunAndRoot): Promise<boolean> {
  const { rows } = await client.query<{ ids: string[] }>("select resume_run($1) as ids", [runId]);
  if (!rows[0]?.ids.length) return false;
  const reason = `resumed by ${scope.userName}`;
  await decideOutside(
    client,
    byPerson(scope, { runId, agentRunId: rootId, kind: "resume", chosen: "resume", reason }, RESUME_OFFERS),
  );
  return true;
}

async function statusOf(client: Reader, runId: string): Promise<RunStatus> {
  const { rows } = await client.query<Standing>("select status from runs where id = $1", [runId]);
  return rows[0]?.status ?? "aborted";
}

async function readRun(client: Reader, { scope, runId }: Of): Promise<Standing & { rootId: string }> {
  const { rows } = await client.query<Standing & { rootId: string }>(
    `select r.status, a.id as "rootId" from runs r join agent_runs a on a.run_id = r.id and a.parent_id is null
     where r.workspace_id = $1 and r.id = $2`,
    [scope.workspaceId, runId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such run.");
  return rows[0];
}
