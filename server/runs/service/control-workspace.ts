import { pool } from "@/server/db";
import { inTransaction, type Reader } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { pauseOne, type RunAndRoot, resumeOne, stopOne } from "./control-run";

type Act = (client: Reader, scope: Scope, run: RunAndRoot) => Promise<boolean>;

/** Pauses what moves in a workspace, and refuses new runs until it is resumed. Returns how many runs it paused. */
export async function pauseWorkspace({ scope }: { scope: Scope }): Promise<{ runs: number }> {
  await pool().query(
    "update workspaces set runs_paused_at = now(), runs_paused_by = $2 where id = $1 and runs_paused_at is null",
    [scope.workspaceId, scope.userName],
  );
  return tellAfter(scope, eachRun(scope, "r.status in ('queued', 'running', 'waiting')", pauseOne));
}

/** Takes new runs again, and resumes the paused ones. Suspended and interrupted runs are resumed one by one. */
export async function resumeWorkspace({ scope }: { scope: Scope }): Promise<{ runs: number }> {
  await pool().query("update workspaces set runs_paused_at = null, runs_paused_by = null where id = $1", [
    scope.workspaceId,
  ]);
  return tellAfter(scope, eachRun(scope, "r.status = 'paused'", resumeOne));
}

/** Ends every run of a workspace that has not ended. Returns how many. */
export function stopWorkspace({ scope }: { scope: Scope }): Promise<{ runs: number }> {
  return eachRun(scope, "not is_terminal(r.status)", stopOne);
}

/** Every open page hears of it, also where no run moved. */
async function tellAfter<T>(scope: Scope, done: Promise<T>): Promise<T> {
  const result = await done;
  await pool().query("select tell_changed($1, 'runs', null)", [scope.workspaceId]);
  return result;
}

/** Each in a transaction of its own: locks of several runs at once could wait for each other. One that fails keeps none of the others. */
async function eachRun(scope: Scope, where: string, act: Act): Promise<{ runs: number }> {
  const { rows } = await pool().query<RunAndRoot>(
    `select r.id as "runId", a.id as "rootId" from runs r join agent_runs a on a.run_id = r.id and a.parent_id is null
     where r.workspace_id = $1 and ${where} order by r.id`,
    [scope.workspaceId],
  );
  let runs = 0;
  const failures: unknown[] = [];
  for (const run of rows) {
    try {
      if (await inTransaction((client) => act(client, scope, run))) runs += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length) throw failures[0];
  return { runs };
}
