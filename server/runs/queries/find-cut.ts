import type { RequestOption, RequestView } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";

export type StepPlace = { runId: string; agentRunId: string; position: number };

/** Where a run is cut to be retried from a step. */
export type Cut = {
  /** The newest event that is kept: the one before the step first began. */
  seq: number;
  agentName: string;
  stepName: string;
  stepKind: string;
};

/**
 * Where a run is cut to go on after what a model replied, with what it chose, and before its calls. Throws INVALID for a step in which no
 * model replied.
 */
export async function findCutAfterReply(reader: Reader, workspaceId: WorkspaceId, place: StepPlace): Promise<Cut> {
  const { rows } = await reader.query<Cut>(
    `SELECT e.seq, a.name AS "agentName", s.name AS "stepName", s.kind AS "stepKind"
     FROM agent_runs a
     JOIN steps s ON s.workspace_id = a.workspace_id AND s.agent_run_id = a.id AND s.position = $4
     JOIN decisions d ON d.workspace_id = a.workspace_id AND d.agent_run_id = a.id AND d.position = s.position AND d.ordinal = 0
     JOIN events e ON e.workspace_id = a.workspace_id AND e.run_id = a.run_id AND e.kind = 'decision.made' AND e.body ->> 'id' = d.id::text
     WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.id = $3 AND s.kind = 'model' AND s.status = 'completed'`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  if (!rows[0]) throw new AppError("INVALID", "No model replied in this step. Choose one in which an agent decided.");
  return rows[0];
}

/** What a person was asked at a step. */
type AskedThere = { requestId: string; kind: RequestView["kind"]; options: RequestOption[]; schema: unknown };

/**
 * Where a run is cut to be answered otherwise: just before the answer that was given at a step, or before nobody had answered in time. Throws
 * INVALID where nothing was asked of people or nobody was waited for to the end, and for what only the world or a limit could answer.
 */
export async function findCutBeforeAnswer(
  reader: Reader,
  workspaceId: WorkspaceId,
  place: StepPlace,
): Promise<{ cut: Cut; asked: AskedThere }> {
  const { rows } = await reader.query<Cut & AskedThere>(
    `SELECT e.seq - 1 AS seq, a.name AS "agentName", s.name AS "stepName", s.kind AS "stepKind",
       q.id AS "requestId", q.kind, q.options, q.schema
     FROM human_requests q
     JOIN agent_runs a ON a.workspace_id = q.workspace_id AND a.id = q.agent_run_id
     JOIN steps s ON s.workspace_id = q.workspace_id AND s.agent_run_id = q.agent_run_id AND s.position = q.position
     JOIN events e ON e.workspace_id = q.workspace_id AND e.run_id = q.run_id AND e.kind = 'request.closed' AND e.body ->> 'requestId' = q.id::text
     WHERE q.workspace_id = $1 AND q.run_id = $2 AND q.agent_run_id = $3 AND q.position = $4 AND q.status IN ('answered', 'expired')
     ORDER BY e.seq DESC LIMIT 1`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  const [row] = rows;
  if (!row) throw new AppError("INVALID", "Nobody was asked anything in this step that was answered.");
  if (row.kind === "uncertain_effect" || row.kind === "budget") {
    throw new AppError(
      "INVALID",
      "What became of a call, and how a run goes on at its limit, cannot be answered otherwise afterwards. Retry from this step instead.",
    );
  }
  const { requestId, kind, options, schema, ...cut } = row;
  return { cut, asked: { requestId, kind, options, schema } };
}

/** The first model call of the same agent run after a step: the one that read what came of it. Throws INVALID when there was none. */
export async function findReader(reader: Reader, workspaceId: WorkspaceId, place: StepPlace): Promise<StepPlace> {
  const { rows } = await reader.query<{ position: number }>(
    `SELECT position FROM steps WHERE workspace_id = $1 AND run_id = $2 AND agent_run_id = $3 AND position > $4 AND kind = 'model'
     ORDER BY position LIMIT 1`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  if (!rows[0])
    throw new AppError("INVALID", "No model was asked after this step, so nothing follows from its result.");
  return { ...place, position: rows[0].position };
}

/** Throws NOT_FOUND for a step that was never begun, or one of another workspace. */
export async function findCut(reader: Reader, workspaceId: WorkspaceId, place: StepPlace): Promise<Cut> {
  const { rows } = await reader.query<Cut>(
    `SELECT e.seq - 1 AS seq, a.name AS "agentName", step.name AS "stepName", step.kind AS "stepKind"
     FROM agent_runs a
     JOIN events e ON e.workspace_id = a.workspace_id AND e.run_id = a.run_id AND e.agent_run_id = a.id
     -- What was never announced, such as a call that was refused, is known by its end.
     CROSS JOIN LATERAL (
       SELECT position, name, kind FROM jsonb_to_recordset(e.body -> 'steps') AS begun(position int, name text, kind text)
       UNION ALL
       SELECT position, name, kind FROM steps WHERE agent_run_id = a.id AND position = (e.body -> 'position')::int) step
     WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.id = $3 AND e.kind IN ('steps.started', 'step.finished')
       AND step.position = $4
     ORDER BY e.seq LIMIT 1`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This step was never begun, or it is in another workspace.");
  return rows[0];
}
