import type pg from "pg";
import { pool } from "@/server/db";
import { isHeld, type RunStatus } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { appendEntries } from "@/server/ledger/service/append-entries";
import { logger } from "@/server/logger";
import { ofRun } from "@/server/runs/queries/of-run";
import { inTransaction } from "@/server/transaction";
import { sizesOf } from "@/server/usage/jobs/measure-runs";
import { carryOutRemoval } from "@/server/usage/jobs/remove-run";
import { askToMeasure } from "@/server/usage/service/ask-to-measure";
import type { Scope } from "@/server/workspaces/scope";
import type { RunRefusal, RunsChanged } from "../list-schema";
import { NO_SUCH_RUN, whyNotRemove } from "../rules";
import { stopOne } from "./control-run";

/** For waiting: a removal that somebody asked for is not given up half-way. */
const NEVER = new AbortController().signal;

/**
 * Removes runs with all their records, for good; who did so is kept, with what they counted for. One at work is refused, one that is
 * held is stopped. Throws NOT_FOUND when there is none of them.
 */
export async function removeRuns({ scope, runIds }: { scope: Scope; runIds: readonly string[] }): Promise<RunsChanged> {
  const { workspaceId, userId } = scope;
  const refused: RunRefusal[] = [];
  let done = 0;
  for (const runId of new Set(runIds)) {
    const bytes = (await sizesOf(workspaceId, [runId])).get(runId) ?? 0;
    const refusal = await inTransaction((client) => markRemoved(client, scope, { runId, bytes }));
    if (refusal) {
      refused.push(refusal);
      continue;
    }
    logger.info({ workspaceId, userId, runId, bytes }, "a run was removed");
    await carryOutRemoval(workspaceId, runId, NEVER);
    done += 1;
  }
  if (done === 0 && refused.every(({ title }) => title === null)) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
  await askToMeasure(workspaceId);
  await pool().query("SELECT tell_changed($1, 'runs', NULL), tell_changed($1, 'requests', NULL)", [workspaceId]);
  return { done, refused };
}

type Standing = { title: string; status: RunStatus; rootId: string | null };

/** From its commit on the run is gone for people, and whatever is left of it goes. Returns why not, when it stays. */
async function markRemoved(
  client: pg.ClientBase,
  scope: Scope,
  { runId, bytes }: { runId: string; bytes: number },
): Promise<RunRefusal | null> {
  const { workspaceId, userId } = scope;
  // Agent runs first, as everywhere: whoever resumes it meanwhile waits here, or has begun and is seen below.
  await client.query("SELECT 1 FROM agent_runs WHERE workspace_id = $1 AND run_id = $2 ORDER BY id FOR NO KEY UPDATE", [
    workspaceId,
    runId,
  ]);
  const { rows } = await client.query<Standing>(
    `SELECT r.title, r.status, a.id AS "rootId" FROM runs r
     LEFT JOIN agent_runs a ON a.workspace_id = r.workspace_id AND a.run_id = r.id AND a.parent_id IS NULL
     WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL FOR NO KEY UPDATE OF r`,
    [workspaceId, runId],
  );
  const [run] = rows;
  if (!run) return { runId, title: null, why: NO_SUCH_RUN };
  const why = whyNotRemove(run.status);
  if (why) return { runId, title: run.title, why };
  // Whatever a worker still records of it is shut out from here on.
  if (isHeld(run.status) && run.rootId) await stopOne(client, scope, { runId, rootId: run.rootId });
  await client.query(
    // Of calls that were cut off nobody knows the cost: the day goes on counting what was reserved for them.
    `UPDATE workspace_days d SET cost_nano_usd = d.cost_nano_usd + q.cost, tokens = d.tokens + q.tokens
     FROM (SELECT day, sum(cost_nano_usd) AS cost, sum(tokens) AS tokens FROM reservations
       WHERE workspace_id = $1 AND run_id = $2 AND status IN ('reserved', 'unconfirmed') GROUP BY day) q
     WHERE d.workspace_id = $1 AND d.day = q.day`,
    [workspaceId, runId],
  );
  await client.query(
    `INSERT INTO removed_runs (run_id, workspace_id, conversation_id, created_at, removed_by_id, steps, decisions, bytes,
       cost_nano_usd, tokens, day_cost_nano_usd, day_tokens)
     SELECT r.id, r.workspace_id, r.conversation_id, r.created_at, $3,
       (SELECT count(*) FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "r.id")}),
       (SELECT count(*) FROM decisions d WHERE d.workspace_id = $1 AND ${ofRun("d", "r.id")}),
       $4, r.cost_nano_usd, r.input_tokens + r.output_tokens, today.cost, today.tokens
     FROM runs r CROSS JOIN LATERAL (
       SELECT coalesce(sum(u.cost_nano_usd), 0) AS cost, coalesce(sum(u.input_tokens + u.output_tokens), 0) AS tokens
       FROM steps s JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
       WHERE s.workspace_id = $1 AND ${ofRun("s", "r.id")} AND s.finished_at >= utc_day()::timestamp AT TIME ZONE 'UTC'
         AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)) today
     WHERE r.workspace_id = $1 AND r.id = $2`,
    [workspaceId, runId, userId, Math.round(bytes)],
  );
  await client.query("UPDATE runs SET removing_at = now() WHERE workspace_id = $1 AND id = $2", [workspaceId, runId]);
  await appendEntries(client, workspaceId, [{ kind: "run.removed", subjectId: runId, byId: userId }]);
  return null;
}
