import { pool } from "@/server/db";
import type { RunStatus } from "@/server/engine/state";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** What the record says of an event, and of what it happened to. Figures are those of now, not of then. */
export type Told = {
  kind: string;
  body: Record<string, unknown>;
  workspaceName: string;
  run: {
    id: string;
    title: string;
    input: string;
    status: RunStatus;
    /** Of the team, or of the agent that runs by itself. */
    of: string;
    isTeam: boolean;
    conversationId: string | null;
    forkedFromRunId: string | null;
    startedBy: string | null;
    inputTokens: number;
    outputTokens: number;
    costNanoUsd: number;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
  };
  agentRun: { id: string; parentId: string | null; name: string; task: string; result: string | null } | null;
  request: {
    id: string;
    kind: string;
    prompt: string;
    status: string;
    answer: unknown;
    deadlineAt: string | null;
    assignee: string | null;
    answeredBy: string | null;
  } | null;
};

/** The event `seq` of a run; null when it is gone, or its run is being removed. */
export async function readTold(
  workspaceId: WorkspaceId,
  { runId, seq }: { runId: string; seq: number },
): Promise<Told | null> {
  const { rows } = await pool().query<Told>({
    name: "read_told_event",
    text: `SELECT e.kind, e.body, w.name AS "workspaceName",
        jsonb_build_object('id', r.id, 'title', r.title, 'input', r.input, 'status', r.status, 'of', coalesce(t.name, a.name, ''),
          'isTeam', t.id IS NOT NULL, 'conversationId', r.conversation_id, 'forkedFromRunId', r.forked_from_run_id,
          'startedBy', u.name, 'inputTokens', r.input_tokens, 'outputTokens', r.output_tokens, 'costNanoUsd', r.cost_nano_usd,
          'createdAt', iso(r.created_at), 'startedAt', iso(r.started_at), 'finishedAt', iso(r.finished_at)) AS run,
        CASE WHEN g.id IS NOT NULL THEN jsonb_build_object('id', g.id, 'parentId', g.parent_id, 'name', g.name, 'task', g.task,
          'result', g.result) END AS "agentRun",
        CASE WHEN q.id IS NOT NULL THEN jsonb_build_object('id', q.id, 'kind', q.kind, 'prompt', q.prompt, 'status', q.status,
          'answer', q.answer, 'deadlineAt', iso(q.deadline_at), 'assignee', s.name,
          'answeredBy', coalesce(p.name, b.name, q.answered_by_name)) END AS request
      FROM events e
      JOIN runs r ON r.workspace_id = e.workspace_id AND r.id = e.run_id
      JOIN workspaces w ON w.id = e.workspace_id
      LEFT JOIN teams t ON t.workspace_id = r.workspace_id AND t.id = r.team_id
      LEFT JOIN agent_versions v ON v.workspace_id = r.workspace_id AND v.id = r.agent_version_id
      LEFT JOIN agents a ON a.workspace_id = v.workspace_id AND a.id = v.agent_id
      LEFT JOIN users u ON u.id = r.started_by_id
      LEFT JOIN agent_runs g ON g.workspace_id = e.workspace_id AND g.id = e.agent_run_id
      LEFT JOIN human_requests q ON q.workspace_id = e.workspace_id AND q.run_id = e.run_id
        AND q.id = coalesce(e.body -> 'request' ->> 'id', e.body ->> 'requestId')::uuid
      LEFT JOIN users s ON s.id = q.assignee_id
      LEFT JOIN users p ON p.id = q.answered_by_id
      LEFT JOIN agent_runs b ON b.workspace_id = q.workspace_id AND b.id = q.answered_by_agent_id
      WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq = $3 AND r.removing_at IS NULL`,
    values: [workspaceId, runId, seq],
  });
  return rows[0] ?? null;
}
