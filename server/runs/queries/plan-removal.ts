import { pool } from "@/server/db";
import { isHeld, type RunStatus } from "@/server/engine/state";
import { ofRun } from "@/server/runs/queries/of-run";
import { sizesOf } from "@/server/usage/jobs/measure-runs";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RemovalPlan } from "../list-schema";
import { NO_SUCH_RUN, whyNotRemove } from "../rules";

type Row = {
  id: string;
  title: string;
  status: RunStatus;
  kept_bytes: number | null;
  open_requests: number;
  is_turn: boolean;
  steps: number;
  decisions: number;
  known_calls: number;
};

/** What removing these runs would remove, and which of them would be refused. Removes nothing. */
export async function planRemoval(workspaceId: WorkspaceId, runIds: readonly string[]): Promise<RemovalPlan> {
  const { rows } = await pool().query<Row>(
    `SELECT r.id, r.title, r.status, r.kept_bytes::float8 AS kept_bytes, r.open_requests,
       r.conversation_id IS NOT NULL AS is_turn,
       (SELECT count(*)::int FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "r.id")}) AS steps,
       (SELECT count(*)::int FROM decisions d WHERE d.workspace_id = $1 AND ${ofRun("d", "r.id")}) AS decisions,
       (SELECT count(*)::int FROM agent_runs a
        JOIN idempotency_entries e ON e.workspace_id = $1 AND e.agent_run_id = a.id AND e.expires_at > now()
        WHERE a.workspace_id = $1 AND a.run_id = r.id) AS known_calls
     FROM runs r WHERE r.workspace_id = $1 AND r.id = ANY($2::uuid[]) AND r.removing_at IS NULL`,
    [workspaceId, runIds],
  );
  const found = new Set(rows.map(({ id }) => id));
  const refused: RemovalPlan["refused"] = [...new Set(runIds)]
    .filter((id) => !found.has(id))
    .map((runId) => ({ runId, title: null, why: NO_SUCH_RUN }));
  const going = rows.filter(({ id, title, status }) => {
    const why = whyNotRemove(status);
    if (why) refused.push({ runId: id, title, why });
    return why === null;
  });
  const unmeasured = going.filter((run) => run.kept_bytes === null).map(({ id }) => id);
  const sizes = unmeasured.length > 0 ? await sizesOf(workspaceId, unmeasured) : new Map<string, number>();
  const sum = (of: (run: Row) => number) => Math.round(going.reduce((total, run) => total + of(run), 0));
  return {
    runs: going.length,
    steps: sum(({ steps }) => steps),
    decisions: sum(({ decisions }) => decisions),
    bytes: sum(({ id, kept_bytes }) => kept_bytes ?? sizes.get(id) ?? 0),
    held: sum(({ status }) => Number(isHeld(status))),
    openRequests: sum(({ open_requests }) => open_requests),
    knownCalls: sum(({ known_calls }) => known_calls),
    turns: sum(({ is_turn }) => Number(is_turn)),
    descendants: await countDescendants(
      workspaceId,
      going.map(({ id }) => id),
    ),
    refused,
  };
}

/** Other runs that came from these. */
async function countDescendants(workspaceId: WorkspaceId, runIds: readonly string[]): Promise<number> {
  const { rows } = await pool().query<{ runs: number }>(
    `SELECT count(*)::int AS runs FROM runs r
     WHERE r.workspace_id = $1 AND (r.forked_from_run_id = ANY($2::uuid[]) OR r.rerun_of_id = ANY($2::uuid[]))
       AND NOT r.id = ANY($2::uuid[])`,
    [workspaceId, runIds],
  );
  return rows[0]?.runs ?? 0;
}
