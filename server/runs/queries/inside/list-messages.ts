import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { getLastSeq } from "../list-events";
import { pageOf } from "./page-of";
import { type MessagesInput, MOST_PREVIEW, type RunMessage } from "./schema";

const PAGE = 50;

/** What models of a run were sent and said, by agent run in the order they were started. A search does not look into values over 8 kB. Throws NOT_FOUND. */
export async function listRunMessages(
  workspaceId: WorkspaceId,
  input: MessagesInput,
): Promise<{ items: RunMessage[]; nextCursor: number | null; total: number }> {
  await getLastSeq(workspaceId, input.runId);
  const offset = input.cursor ?? 0;
  const { rows } = await pool().query<RunMessage & { total: number }>(
    `SELECT x."agentRunId", x."agentName", x.index, x.role, x.total,
       coalesce(left(CASE WHEN x.hash IS NULL THEN x.content ->> 'content' ELSE y.whole ->> 'content' END, ${MOST_PREVIEW}), '') AS text,
       coalesce(length(CASE WHEN x.hash IS NULL THEN x.content ->> 'content' ELSE y.whole ->> 'content' END) > ${MOST_PREVIEW}, false) AS "isCut",
       (SELECT coalesce(array_agg(c ->> 'name'), '{}') FROM jsonb_array_elements(
          coalesce(CASE WHEN x.hash IS NULL THEN x.content -> 'calls' ELSE y.whole -> 'calls' END, '[]')) c) AS calls,
       (SELECT s.position FROM steps s WHERE s.workspace_id = $1 AND s.agent_run_id = x."agentRunId" AND s.reply_message = x.index
        ORDER BY s.position LIMIT 1) AS position
     FROM (
       SELECT w.*, m.role, m.content, m.content ->> 'blob' AS hash
       FROM (
         -- Places alone: what is sorted and counted may be all messages of a large run.
         SELECT m.agent_run_id AS "agentRunId", a.name AS "agentName", a.created_at, m.index, (count(*) OVER ())::int AS total
         FROM messages m JOIN agent_runs a ON a.workspace_id = m.workspace_id AND a.id = m.agent_run_id
         WHERE a.workspace_id = $1 AND a.run_id = $2 AND ($3::uuid IS NULL OR a.id = $3) AND ($4::text IS NULL OR m.role = $4)
           AND ($5 = '' OR strpos(lower(m.content ->> 'content'), lower($5)) > 0 OR strpos(lower(m.content ->> 'calls'), lower($5)) > 0)
         ORDER BY a.created_at, a.id, m.index LIMIT $6 OFFSET $7) w
       JOIN messages m ON m.workspace_id = $1 AND m.agent_run_id = w."agentRunId" AND m.index = w.index) x
     LEFT JOIN LATERAL (SELECT string_agg(b.content, '' ORDER BY b.part)::jsonb AS whole FROM blobs b
       WHERE b.workspace_id = $1 AND b.hash = x.hash) y ON x.hash IS NOT NULL
     ORDER BY x.created_at, x."agentRunId", x.index`,
    [workspaceId, input.runId, input.agentRunId ?? null, input.role ?? null, input.search, PAGE + 1, offset],
  );
  const items = rows.map(({ total: _, ...row }) => row);
  return { ...pageOf(items, PAGE, offset), total: rows[0]?.total ?? 0 };
}
