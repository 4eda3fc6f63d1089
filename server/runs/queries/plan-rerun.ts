import { listTools } from "@/server/agents/queries/list-tools";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { NO_SUCH_RUN } from "../rules";
import type { RerunPlan } from "../step-schema";
import { effectsAfter } from "./effects-after";
import { findClosure } from "./find-closure";
import { findStartContext } from "./find-start-context";
import { toInstant } from "./instant";

const MOST_VERSIONS = 100;

type Row = {
  kind: "team" | "agent";
  targetId: string;
  number: number;
  publishedAt: Date;
  isOfRun: boolean;
};

/** What repeating a run as a whole would do, with a version of its team or agent; null: the newest. Throws NOT_FOUND. */
export async function planRerun(
  workspaceId: WorkspaceId,
  { runId, version }: { runId: string; version?: number | null | undefined },
): Promise<RerunPlan> {
  const { rows } = await pool().query<Row>(
    `WITH run AS (
       SELECT r.team_id, r.team_version_id, r.agent_version_id, g.agent_id FROM runs r
       LEFT JOIN agent_versions g ON g.workspace_id = r.workspace_id AND g.id = r.agent_version_id
       WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL
     )
     SELECT 'team' AS kind, run.team_id AS "targetId", v.number, v.published_at AS "publishedAt", v.id = run.team_version_id AS "isOfRun"
     FROM run JOIN team_versions v ON v.workspace_id = $1 AND v.team_id = run.team_id
     UNION ALL
     SELECT 'agent', run.agent_id, v.number, v.published_at, v.id = run.agent_version_id
     FROM run JOIN agent_versions v ON v.workspace_id = $1 AND v.agent_id = run.agent_id
     ORDER BY 3 DESC LIMIT ${MOST_VERSIONS}`,
    [workspaceId, runId],
  );
  const [newest] = rows;
  if (!newest) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
  const [closure, tools, context, effects] = await Promise.all([
    findClosure(workspaceId, { kind: newest.kind, id: newest.targetId }, version),
    listTools(workspaceId),
    findStartContext(workspaceId, runId),
    // After nothing: all of them.
    effectsAfter(pool(), workspaceId, { runId, seq: 0 }),
  ]);
  const writing = new Set(tools.flatMap(({ name, writes }) => (writes ? [name] : [])));
  const named = [...(closure?.places ?? []), ...(closure?.allowed ?? [])].flatMap(({ config }) => config.tools);
  return {
    versions: rows.map(({ number, publishedAt, isOfRun }) => ({
      number,
      publishedAt: toInstant(publishedAt),
      isOfRun,
    })),
    context,
    effectsTotal: effects.total,
    effectTools: effects.tools,
    writes: [...new Set(named)].filter((name) => writing.has(name)).sort(),
  };
}
