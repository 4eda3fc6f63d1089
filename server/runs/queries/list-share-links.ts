import { pool } from "@/server/db";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ShareLink } from "../share-schema";
import { toInstant, toInstantOrNull } from "./instant";
import { getLastSeq } from "./list-events";

/** Of links that lead nowhere any more. */
const MOST_SHOWN = 200;

type Row = Omit<ShareLink, "createdAt" | "expiresAt"> & { createdAt: Date; expiresAt: Date | null };

/** The links of a run, the newest first; never their tokens, which nobody kept. Throws NOT_FOUND. */
export async function listShareLinks(workspaceId: WorkspaceId, runId: string): Promise<ShareLink[]> {
  const { rows } = await pool().query<Row>(
    `SELECT l.id, l.place, u.name AS "createdBy", l.created_at AS "createdAt", l.expires_at AS "expiresAt",
       CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= now() THEN 'expired' ELSE 'open' END AS state,
       coalesce(
         (SELECT a.name FROM agent_runs a WHERE a.run_id = l.run_id AND l.place = 'agent:' || a.id),
         (SELECT a.name || ', decision' FROM decisions d JOIN agent_runs a ON a.id = d.agent_run_id
          WHERE d.workspace_id = l.workspace_id AND ${ofRun("d", "l.run_id")} AND l.place = 'decision:' || d.id),
         (SELECT a.name || ', ' || s.name FROM steps s JOIN agent_runs a ON a.id = s.agent_run_id
          WHERE ${ofRun("s", "l.run_id")} AND l.place = s.agent_run_id || '.' || s.position)) AS "placeName"
     FROM share_links l LEFT JOIN users u ON u.id = l.created_by_id
     WHERE l.workspace_id = $1 AND l.run_id = $2
     ORDER BY (l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > now())) DESC, l.created_at DESC, l.id LIMIT $3`,
    [workspaceId, runId, MOST_SHOWN],
  );
  // Of a run that is not there, there are none either: which of both it is, is asked only then.
  if (rows.length === 0) await getLastSeq(workspaceId, runId);
  return rows.map((row) => ({
    ...row,
    createdAt: toInstant(row.createdAt),
    expiresAt: toInstantOrNull(row.expiresAt),
  }));
}
