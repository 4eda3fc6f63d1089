import { pool } from "@/server/db";
import type { ChosenOption } from "@/server/engine/events";
import { findBlobs } from "@/server/runs/queries/blobs";
import { listMessages } from "@/server/runs/queries/messages";
import { requestAsSent } from "@/server/runs/queries/request-as-sent";
import type { MessageView } from "@/server/runs/step-schema";
import { insideJson } from "@/server/secrets/inside-json";
import type { Redact } from "@/server/secrets/pii";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { TracedAgent, TracedDecision, TracedStep } from "../rules/agent-spans";
import { parentSpanOf, type SpawnedBy } from "../rules/parent-span";

const STEPS_A_PAGE = 200;

type AgentRecord = Omit<TracedAgent, "parentSpanId" | "said"> & {
  parentId: string | null;
  spawnedBy: SpawnedBy | null;
  task: string | null;
  result: string | null;
};

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** What is told of an ended agent run; null: it was removed. Task and result only where content is sent. */
export async function readTracedAgent(
  workspaceId: WorkspaceId,
  agentRunId: string,
  withContent: boolean,
): Promise<TracedAgent | null> {
  const { rows } = await pool().query<{ row: AgentRecord }>(
    `SELECT row_to_json(x) AS row FROM (
       SELECT a.id, a.run_id AS "runId", a.workspace_id AS "workspaceId", a.parent_id AS "parentId", a.name, a.handle, a.depth,
         a.status, a.status_reason AS "statusReason", a.input_tokens AS "inputTokens", a.output_tokens AS "outputTokens",
         a.cost_nano_usd AS "costNanoUsd", ${MS("coalesce(a.started_at, a.created_at)")} AS "startMs",
         ${MS("greatest(a.finished_at, a.started_at, a.created_at)")} AS "endMs",
         CASE WHEN $3 THEN a.task END AS task, CASE WHEN $3 THEN a.result END AS result,
         r.conversation_id AS "conversationId", r.forked_from_run_id AS "forkedFromRunId",
         v.agent_id AS "agentId", v.number AS version,
         coalesce(r.overrides ->> 'model', v.config ->> 'model', r.model) AS "modelRef",
         (v.config ->> 'temperature')::float8 AS temperature,
         (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', b.name) ORDER BY k.nth), '[]')
          FROM jsonb_array_elements_text(coalesce(v.config -> 'knowledge', '[]')) WITH ORDINALITY AS k (id, nth)
          LEFT JOIN knowledge_bases b ON b.workspace_id = a.workspace_id AND b.id = k.id::uuid) AS bases,
         (SELECT json_build_object('agentRunId', d.agent_run_id, 'position', d.position, 'chosen', d.chosen,
            'recorded', (SELECT coalesce(json_agg(s.position), '[]') FROM steps s
              WHERE s.workspace_id = d.workspace_id AND s.agent_run_id = d.agent_run_id AND (s.position = d.position
                OR d.chosen @> jsonb_build_array(jsonb_build_object('position', s.position)))))
          FROM decisions d WHERE d.workspace_id = a.workspace_id AND d.id = a.spawned_by_id) AS "spawnedBy"
       FROM agent_runs a
       JOIN runs r ON r.workspace_id = a.workspace_id AND r.id = a.run_id
       JOIN agent_versions v ON v.workspace_id = a.workspace_id AND v.id = a.agent_version_id
       WHERE a.workspace_id = $1 AND a.id = $2 AND r.removing_at IS NULL
     ) x`,
    [workspaceId, agentRunId, withContent],
  );
  const row = rows[0]?.row;
  if (!row) return null;
  const { parentId, spawnedBy, task, result, ...agent } = row;
  return {
    ...agent,
    parentSpanId: parentSpanOf({ id: agent.id, parentId }, spawnedBy),
    said: withContent ? { task: task ?? "", result } : null,
  };
}

type StepRecord = Omit<TracedStep, "said" | "isReused"> & {
  reused: unknown;
  requestMessages: number | null;
  replyMessage: number | null;
  requestHash: string | null;
  callerMessage: number | null;
};

/** The recorded steps of an agent run, page by page in order, redacted. Contents only where they are sent. */
export async function* listTracedSteps(
  workspaceId: WorkspaceId,
  agentRunId: string,
  { withContent, redact }: { withContent: boolean; redact: Redact },
): AsyncGenerator<TracedStep[]> {
  for (let after = -1; ; ) {
    const { rows } = await pool().query<{ row: StepRecord }>(
      `SELECT row_to_json(x) AS row FROM (
         SELECT s.position, s.turn, s.kind, s.name, s.status, s.call_id AS "callId", s.reused,
           CASE WHEN s.error IS NOT NULL THEN json_build_object('code', s.error ->> 'code', 'message', s.error ->> 'message') END AS error,
           ${MS("s.started_at")} AS "startMs", ${MS("s.finished_at")} AS "endMs",
           s.input_bytes AS "inputBytes", s.output_bytes AS "outputBytes",
           CASE WHEN c.agent_run_id IS NOT NULL THEN json_build_object('provider', c.provider, 'model', c.model,
             'inputTokens', c.input_tokens, 'cachedTokens', c.cached_tokens, 'outputTokens', c.output_tokens,
             'reasoningTokens', c.reasoning_tokens, 'costNanoUsd', c.cost_nano_usd) END AS usage,
           p.base_url AS "baseUrl", m.content -> 'told' AS told,
           s.request_messages AS "requestMessages", s.reply_message AS "replyMessage", s.request_hash AS "requestHash",
           CASE WHEN $3 AND s.call_id IS NOT NULL THEN coalesce(s.request_messages - 1,
             (SELECT m.reply_message FROM steps m
              WHERE m.workspace_id = s.workspace_id AND m.agent_run_id = s.agent_run_id AND m.position < s.position
                AND m.kind = 'model' AND m.reply_message IS NOT NULL
              ORDER BY m.position DESC LIMIT 1)) END AS "callerMessage"
         FROM steps s
         LEFT JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position
         LEFT JOIN messages m ON m.workspace_id = s.workspace_id AND m.agent_run_id = s.agent_run_id AND m.index = s.reply_message
           AND m.role = 'assistant'
         LEFT JOIN providers p ON p.workspace_id = s.workspace_id AND p.name = c.provider
         WHERE s.workspace_id = $1 AND s.agent_run_id = $2 AND s.position > $4
         ORDER BY s.position LIMIT ${STEPS_A_PAGE}
       ) x`,
      [workspaceId, agentRunId, withContent, after],
    );
    const records = rows.map(({ row }) => redact(row));
    const last = records.at(-1);
    if (!last) return;
    after = last.position;
    yield await withWords(workspaceId, agentRunId, records, { withContent, redact });
    if (records.length < STEPS_A_PAGE) return;
  }
}

/** What was said in these steps, read and redacted for all of them at once: they share most of it. */
async function withWords(
  workspaceId: WorkspaceId,
  agentRunId: string,
  records: readonly StepRecord[],
  { withContent, redact }: { withContent: boolean; redact: Redact },
): Promise<TracedStep[]> {
  const named = records.flatMap((one) => [one.requestMessages ?? 0, (one.replyMessage ?? -1) + 1]);
  const hashes = records.flatMap(({ requestHash }) => (requestHash === null ? [] : [requestHash]));
  const [said, requests] = withContent
    ? await Promise.all([
        listMessages(workspaceId, { agentRunId, from: 0, to: Math.max(0, ...named) }),
        findBlobs(workspaceId, hashes),
      ])
    : [[], new Map<string, string>()];
  const messages = redact(said);
  const blobs = new Map([...requests].map(([hash, content]) => [hash, insideJson(content, redact)]));
  return records.map(({ reused, requestMessages, replyMessage, requestHash, callerMessage, ...step }) => ({
    ...step,
    isReused: reused !== null,
    said: withContent
      ? saidIn({ ...step, requestMessages, replyMessage, requestHash, callerMessage }, messages, blobs)
      : null,
  }));
}

function saidIn(
  step: Pick<StepRecord, "kind" | "callId" | "requestMessages" | "replyMessage" | "requestHash" | "callerMessage">,
  messages: readonly MessageView[],
  blobs: ReadonlyMap<string, string>,
): NonNullable<TracedStep["said"]> {
  const content = step.requestHash === null ? undefined : blobs.get(step.requestHash);
  const reply = step.replyMessage === null ? null : (messages[step.replyMessage] ?? null);
  const isModelCall = step.kind === "model" || step.kind === "summary";
  const caller = step.callerMessage === null ? undefined : messages[step.callerMessage];
  const call = caller?.calls.find(({ id }) => id === step.callId);
  return {
    request: content === undefined ? null : requestAsSent(content, messages.slice(0, step.requestMessages ?? 0), null),
    reply: isModelCall ? reply : null,
    call: call ? { arguments: call.arguments, result: reply?.content ?? null } : null,
  };
}

/** The decisions of an agent run, in order. */
export async function listTracedDecisions(workspaceId: WorkspaceId, agentRunId: string): Promise<TracedDecision[]> {
  const { rows } = await pool().query<{ row: TracedDecision & { chosen: ChosenOption[] } }>(
    `SELECT row_to_json(x) AS row FROM (
       SELECT d.id, d.position, d.kind, d.source, d.chosen, d.reason, d.cost_so_far_nano_usd AS "costSoFarNanoUsd",
         ${MS("d.at")} AS "atMs"
       FROM decisions d WHERE d.workspace_id = $1 AND d.agent_run_id = $2 ORDER BY d.position, d.ordinal) x`,
    [workspaceId, agentRunId],
  );
  return rows.map(({ row }) => row);
}
