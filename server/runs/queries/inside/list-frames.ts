import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { getLastSeq } from "../list-events";
import type { Frame, PlaybackInput } from "./schema";

const PAGE = 2_500;

/**
 * Events of a run that move its graph, in order, after `afterSeq`; costs in nano-USD. The rows they name are looked up by their keys (OFFSET keeps it
 * so), also where nothing gathers statistics. Throws NOT_FOUND.
 */
export async function listFrames(
  workspaceId: WorkspaceId,
  { runId, afterSeq }: PlaybackInput,
): Promise<{ items: Frame[]; more: boolean }> {
  await getLastSeq(workspaceId, runId);
  const { rows } = await pool().query<{ row: Frame }>(
    `SELECT json_build_object('seq', e.seq, 'atMs', (date_part('epoch', e.at) * 1000)::bigint, 'kind', e.kind,
       'agentRunId', CASE e.kind WHEN 'request.closed' THEN coalesce(q.agent_run_id, e.agent_run_id) WHEN 'request.passed_on' THEN coalesce(q.agent_run_id, e.agent_run_id)
         WHEN 'mail.sent' THEN (e.body -> 'mail' ->> 'fromId')::uuid ELSE e.agent_run_id END,
       'word', CASE e.kind WHEN 'agent.status' THEN e.body ->> 'status' WHEN 'run.status' THEN e.body ->> 'status'
         WHEN 'agent.created' THEN 'queued' WHEN 'step.finished' THEN s.name WHEN 'decision.made' THEN d.kind
         WHEN 'request.opened' THEN e.body -> 'request' ->> 'status' WHEN 'request.closed' THEN e.body ->> 'status' END,
       'toId', CASE e.kind WHEN 'mail.sent' THEN e.body -> 'mail' ->> 'toId' WHEN 'request.opened' THEN q.told_ids[1]::text
         WHEN 'request.closed' THEN e.body ->> 'answeredByAgentId' END,
       'costNanoUsd', coalesce(u.cost_nano_usd, 0), 'tokens', coalesce(u.input_tokens + u.output_tokens, 0)) AS row
     FROM events e
     LEFT JOIN LATERAL (SELECT s.name FROM steps s
       WHERE e.kind = 'step.finished' AND s.agent_run_id = e.agent_run_id AND s.position = (e.body -> 'position')::int OFFSET 0) s ON true
     LEFT JOIN LATERAL (SELECT u.cost_nano_usd, u.input_tokens, u.output_tokens FROM usages u
       WHERE e.kind = 'step.finished' AND u.agent_run_id = e.agent_run_id AND u.position = (e.body -> 'position')::int OFFSET 0) u ON true
     LEFT JOIN LATERAL (SELECT d.kind FROM decisions d
       WHERE e.kind = 'decision.made' AND d.workspace_id = e.workspace_id AND d.id = (e.body ->> 'id')::uuid OFFSET 0) d ON true
     LEFT JOIN LATERAL (SELECT q.agent_run_id, q.told_ids FROM human_requests q
       WHERE e.kind IN ('request.opened', 'request.closed', 'request.passed_on') AND q.workspace_id = e.workspace_id
         AND q.id = (CASE e.kind WHEN 'request.opened' THEN e.body -> 'request' ->> 'id' ELSE e.body ->> 'requestId' END)::uuid OFFSET 0) q ON true
     WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq > $3 AND e.kind IN ('agent.created', 'agent.status', 'step.finished',
       'decision.made', 'mail.sent', 'request.opened', 'request.closed', 'request.passed_on', 'run.status')
     ORDER BY e.seq LIMIT $4`,
    [workspaceId, runId, afterSeq, PAGE + 1],
  );
  return { items: rows.slice(0, PAGE).map(({ row }) => row), more: rows.length > PAGE };
}
