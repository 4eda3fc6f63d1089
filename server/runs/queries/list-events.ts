import { pool } from "@/server/db";
import type { DecisionRow, RunEvent, RunEventBody, RunEventKind, StoredEventBody } from "@/server/engine/events";
import { queuedAgent } from "@/server/engine/queued-agent";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { EventsInput } from "../schema";
import { toInstant } from "./instant";
import { DECISION_COLUMNS, STEP_COLUMNS, type StepColumns, toDecisionRow, toStepRow, USAGE_JOIN } from "./row-json";

const PAGE = 200;

type EventRecord = {
  run_id: string;
  seq: number;
  agent_run_id: string | null;
  kind: RunEventKind;
  body: StoredEventBody;
  at: Date;
  agent: AgentFacts | null;
  step: StepColumns | null;
  decision: DecisionRow | null;
};

/** What never changes of an agent run. */
type AgentFacts = Omit<Parameters<typeof queuedAgent>[0], "createdAt">;

/** An event with the row it names (`StoredEventBody`). Each is looked up by its key (OFFSET keeps it so), also where nothing gathers statistics. */
const EVENT_COLUMNS =
  "e.run_id, e.seq, e.agent_run_id, e.kind, e.body, e.at, agent.row AS agent, step.row AS step, decision.row AS decision";
const EVENT_JOINS = `
  LEFT JOIN LATERAL (SELECT to_json(x) AS row FROM (SELECT a.id, a.parent_id AS "parentId", a.spawned_by_id AS "spawnedById", a.handle,
    a.name, a.depth, a.task FROM agent_runs a WHERE e.kind = 'agent.created' AND a.id = e.agent_run_id) x OFFSET 0) agent ON true
  LEFT JOIN LATERAL (SELECT to_json(x) AS row FROM (SELECT ${STEP_COLUMNS} FROM steps s ${USAGE_JOIN}
    WHERE e.kind = 'step.finished' AND s.agent_run_id = e.agent_run_id AND s.position = (e.body -> 'position')::int) x OFFSET 0) step ON true
  LEFT JOIN LATERAL (SELECT to_json(x) AS row FROM (SELECT ${DECISION_COLUMNS} FROM decisions d
    WHERE e.kind = 'decision.made' AND d.workspace_id = e.workspace_id AND d.id = (e.body ->> 'id')::uuid) x OFFSET 0) decision ON true`;

/**
 * That an event `e` is about the step at position $6: its begin and end, decisions by and about it, what was asked in it, and what its agent
 * published by it, which is committed with its end and told right before. Rows are looked up by their keys: for EXISTS all of the table may be read.
 */
const IS_ABOUT_STEP = `CASE
  WHEN e.kind = 'steps.started' THEN e.body -> 'steps' @> jsonb_build_array(jsonb_build_object('position', $6::int))
  WHEN e.kind = 'step.finished' THEN (e.body -> 'position')::int = $6::int
  WHEN e.kind = 'decision.made' THEN (SELECT d.position = $6::int OR d.chosen @> jsonb_build_array(jsonb_build_object('position', $6::int))
    FROM decisions d WHERE d.workspace_id = e.workspace_id AND d.id = (e.body ->> 'id')::uuid)
  WHEN e.kind = 'request.opened' THEN (e.body -> 'request' -> 'position')::int = $6::int
  WHEN e.kind IN ('request.closed', 'request.passed_on', 'request.moved', 'request.assigned') THEN (
    SELECT q.position = $6::int FROM human_requests q WHERE q.workspace_id = e.workspace_id AND q.id = (e.body ->> 'requestId')::uuid)
  WHEN e.kind = 'agent.published' THEN $6::int = (
    SELECT (f.body -> 'position')::int FROM events f WHERE f.workspace_id = e.workspace_id AND f.run_id = e.run_id AND f.seq > e.seq
      AND f.agent_run_id = e.agent_run_id AND f.kind = 'step.finished' ORDER BY f.seq LIMIT 1)
  ELSE false END`;

/** The newest events before `beforeSeq`, oldest first; `more` says that older ones exist. Throws NOT_FOUND. */
export async function listEvents(
  workspaceId: WorkspaceId,
  input: EventsInput,
): Promise<{ items: RunEvent[]; more: boolean }> {
  await getLastSeq(workspaceId, input.runId);
  const { rows } = await pool().query<EventRecord>(
    `SELECT ${EVENT_COLUMNS} FROM (
       SELECT * FROM events e WHERE e.workspace_id = $1 AND e.run_id = $2
         AND ($3::uuid IS NULL OR e.agent_run_id = $3) AND ($4::int IS NULL OR e.seq < $4)
         AND ($6::int IS NULL OR ${IS_ABOUT_STEP}) AND ($7::text IS NULL OR (e.kind = 'decision.made' AND e.body ->> 'id' = $7))
       ORDER BY e.seq DESC LIMIT $5) e ${EVENT_JOINS}
     ORDER BY e.seq DESC`,
    [
      ...[workspaceId, input.runId, input.agentRunId ?? null, input.beforeSeq ?? null, PAGE + 1],
      ...[input.position ?? null, input.decisionId ?? null],
    ],
  );
  return { items: rows.slice(0, PAGE).reverse().map(toRunEvent), more: rows.length > PAGE };
}

/** Events after `seq` in order, at most `limit`. */
export async function listEventsAfter(
  workspaceId: WorkspaceId,
  after: { runId: string; seq: number; limit: number },
): Promise<RunEvent[]> {
  const { rows } = await pool().query<EventRecord>(
    `SELECT ${EVENT_COLUMNS} FROM events e ${EVENT_JOINS}
     WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq > $3 ORDER BY e.seq LIMIT $4`,
    [workspaceId, after.runId, after.seq, after.limit],
  );
  return rows.map(toRunEvent);
}

/**
 * The next events after `seq`: as many as come to `mostBytes` in all, of which the last may be larger by itself, and at most `limit`. `more` says that
 * it ended there, and that there may be others. The size is that of what is read, told by the database: more than that never gets here. It goes from
 * one event to the next, so that nothing is read past the bounds, and so that no plan made without statistics can read it all for each event.
 */
export async function listEventBatch(
  workspaceId: WorkspaceId,
  after: { runId: string; seq: number; limit: number; mostBytes: number },
): Promise<{ events: RunEvent[]; more: boolean }> {
  const { rows } = await pool().query<EventRecord & { bytes: number }>(
    `WITH RECURSIVE batch AS (
       SELECT NULL::uuid AS run_id, $3::int AS seq, NULL::uuid AS agent_run_id, NULL::text AS kind, NULL::jsonb AS body, NULL::timestamptz AS at,
         NULL::json AS agent, NULL::json AS step, NULL::json AS decision, 0 AS nth, 0 AS bytes
       UNION ALL
       SELECT next.*, batch.nth + 1, batch.bytes + octet_length(concat(next.body, next.agent, next.step, next.decision))
       FROM batch CROSS JOIN LATERAL (SELECT ${EVENT_COLUMNS} FROM events e ${EVENT_JOINS}
         WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq > batch.seq ORDER BY e.seq LIMIT 1) next
       WHERE batch.nth < $4 AND batch.bytes < $5)
     SELECT * FROM batch WHERE nth > 0 ORDER BY seq`,
    [workspaceId, after.runId, after.seq, after.limit, after.mostBytes],
  );
  const bytes = rows.at(-1)?.bytes ?? 0;
  return { events: rows.map(toRunEvent), more: rows.length === after.limit || bytes >= after.mostBytes };
}

/** How many events the run has. Throws NOT_FOUND. */
export async function getLastSeq(workspaceId: WorkspaceId, runId: string): Promise<number> {
  const { rows } = await pool().query<{ last_seq: number }>(
    "SELECT last_seq FROM runs WHERE workspace_id = $1 AND id = $2",
    [workspaceId, runId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  return rows[0].last_seq;
}

function toRunEvent(row: EventRecord): RunEvent {
  return {
    runId: row.run_id,
    seq: row.seq,
    agentRunId: row.agent_run_id,
    at: toInstant(row.at),
    body: bodyOf(row),
  };
}

function bodyOf({ kind, body, agent, step, decision }: EventRecord): RunEventBody {
  if (agent && "agent" in body) return { kind: "agent.created", agent: queuedAgent({ ...agent, ...body.agent }) };
  if (step) return { kind: "step.finished", step: toStepRow(step) };
  if (decision) return { kind: "decision.made", decision: toDecisionRow(decision) };
  return { ...body, kind } as RunEventBody;
}
