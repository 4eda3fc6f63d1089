import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { toInstant } from "../instant";
import { getLastSeq } from "../list-events";
import { pageOf } from "./page-of";
import { MOST_PREVIEW, type Said, type SaidInput } from "./schema";

const PAGE = 60;

/**
 * What was handed down, written, asked, answered and handed in, as one statement each. Numbers order what shares an instant: a result is
 * handed in before anybody goes on with it.
 */
const SAID = `
  SELECT 1 AS place, 'task' AS kind, a.created_at AS at, a.parent_id AS "fromId", a.id AS "toId",
    CASE WHEN a.parent_id IS NULL THEN coalesce(u.name, 'Somebody') END AS by, a.task AS text, 'agent:' || a.id AS key
  FROM runs r JOIN agent_runs a ON a.workspace_id = r.workspace_id AND a.run_id = r.id LEFT JOIN users u ON u.id = r.started_by_id
  WHERE r.workspace_id = $1 AND r.id = $2
  UNION ALL
  SELECT 0, 'result', a.finished_at, a.id, a.parent_id, CASE WHEN a.parent_id IS NULL THEN 'The person who asked' END, a.result, 'agent:' || a.id
  FROM agent_runs a WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.result IS NOT NULL AND a.finished_at IS NOT NULL
  UNION ALL
  SELECT 0, 'handoff', a.finished_at, a.id, NULL, a.handoff ->> 'agent', a.handoff ->> 'told', 'agent:' || a.id
  FROM agent_runs a WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.handoff IS NOT NULL AND a.finished_at IS NOT NULL
  UNION ALL
  SELECT 2, 'mail', m.sent_at, m.from_id, m.to_id, NULL, m.text, 'agent:' || m.from_id
  FROM mails m WHERE m.workspace_id = $1 AND m.run_id = $2
  UNION ALL
  SELECT 3, CASE WHEN cardinality(q.told_ids) > 0 THEN 'escalation' ELSE 'question' END, q.created_at, q.agent_run_id, q.told_ids[1],
    NULL, q.prompt, q.agent_run_id || '.' || q.position
  FROM human_requests q WHERE q.workspace_id = $1 AND q.run_id = $2
  UNION ALL
  SELECT 4, 'passed_on', e.at, q.agent_run_id, NULL, NULL, q.prompt, q.agent_run_id || '.' || q.position
  FROM human_requests q JOIN events e ON e.workspace_id = q.workspace_id AND e.run_id = q.run_id AND e.kind = 'request.passed_on'
    AND e.body ->> 'requestId' = q.id::text
  WHERE q.workspace_id = $1 AND q.run_id = $2 AND cardinality(q.told_ids) > 0
  UNION ALL
  SELECT 5, 'answer', q.answered_at, q.answered_by_agent_id, q.agent_run_id,
    CASE WHEN q.answered_by_agent_id IS NULL THEN coalesce(u.name, 'Nobody in time: the default') END,
    coalesce(q.answer #>> '{}', ''), q.agent_run_id || '.' || q.position
  FROM human_requests q LEFT JOIN users u ON u.id = q.answered_by_id
  WHERE q.workspace_id = $1 AND q.run_id = $2 AND q.answered_at IS NOT NULL AND q.answer IS NOT NULL
  UNION ALL
  SELECT 6, 'steer', s.created_at, NULL, s.agent_run_id, s.author, s.text, 'agent:' || s.agent_run_id
  FROM steers s WHERE s.workspace_id = $1 AND s.run_id = $2`;

/** The conversation of a run across its tree, oldest first (issue: conversation view; LOK-MSG, LOK-ESC). Throws NOT_FOUND. */
export async function listSaid(
  workspaceId: WorkspaceId,
  input: SaidInput,
): Promise<{ items: Said[]; nextCursor: number | null; total: number }> {
  await getLastSeq(workspaceId, input.runId);
  const offset = input.cursor ?? 0;
  const { rows } = await pool().query<Omit<Said, "at"> & { at: Date; total: number }>(
    `SELECT s.kind, s.at, s."fromId", s."toId", s.by, left(s.text, ${MOST_PREVIEW}) AS text, length(s.text) > ${MOST_PREVIEW} AS "isCut",
       s.key, (count(*) OVER ())::int AS total
     FROM (${SAID}) s
     WHERE ($3::uuid IS NULL OR s."fromId" = $3 OR s."toId" = $3)
       AND ($4 = '' OR strpos(lower(s.text), lower($4)) > 0 OR strpos(lower(coalesce(s.by, '')), lower($4)) > 0)
     ORDER BY s.at, s.place, s.key LIMIT $5 OFFSET $6`,
    [workspaceId, input.runId, input.agentRunId ?? null, input.search, PAGE + 1, offset],
  );
  const items = rows.map(({ total: _, at, ...row }) => ({ ...row, at: toInstant(at) }));
  return { ...pageOf(items, PAGE, offset), total: rows[0]?.total ?? 0 };
}
