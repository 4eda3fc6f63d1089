import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { REQUEST_COLUMNS, REQUEST_JOINS, type RequestRecord, toRequestView } from "@/server/requests/queries";
import { findRedaction } from "@/server/secrets/redaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { StepDetail } from "../step-schema";
import { findBlobs } from "./blobs";
import { toInstant, toInstantOrNull } from "./instant";
import { findMessage, listMessages } from "./messages";
import { requestAsSent } from "./request-as-sent";
import { STEP_COLUMNS, type StepColumns, toStepRow, USAGE_JOIN } from "./row-json";

type StepPlace = { runId: string; agentRunId: string; position: number };
type StepRecord = StepColumns & {
  callId: string | null;
  requestMessages: number | null;
  replyMessage: number | null;
  requestHash: string | null;
  callerMessage: number | null;
  decisionId: string | null;
  errorDetails: StepDetail["errorDetails"];
  effect: StepDetail["effect"];
  humanRequest: RequestRecord | null;
  reasoning: string | null;
};

/** Input and output of a recorded step. A step still at work is NOT_FOUND: it has no record yet. */
export async function getStep(workspaceId: WorkspaceId, place: StepPlace): Promise<StepDetail> {
  const {
    effect,
    humanRequest,
    callId,
    requestMessages,
    replyMessage,
    requestHash,
    callerMessage,
    decisionId,
    errorDetails,
    reasoning,
    ...row
  } = await getStepRecord(workspaceId, place);
  const { agentRunId } = place;
  // A call of the engine's own leaves its answer in the conversation, or in the result of the tool call it belongs to.
  const isModelCall = row.kind === "model" || row.kind === "summary";

  const [request, reply, call] = await Promise.all([
    requestHash !== null
      ? rebuildRequest(workspaceId, { agentRunId, messages: requestMessages ?? 0, hash: requestHash })
      : null,
    isModelCall && replyMessage !== null ? findMessage(workspaceId, { agentRunId, index: replyMessage }) : null,
    callId !== null && callerMessage !== null
      ? findCall(workspaceId, { agentRunId, callId, callerMessage, replyMessage })
      : null,
  ]);
  return {
    step: toStepRow(row),
    decisionId,
    errorDetails,
    request,
    reply,
    reasoning,
    call,
    effect: effect && {
      ...effect,
      intendedAt: toInstant(effect.intendedAt),
      settledAt: toInstantOrNull(effect.settledAt),
    },
    humanRequest: humanRequest && toRequestView(humanRequest),
  };
}

/**
 * `callerMessage` is the reply of the model step just before: the one that asked for this call. A call that no model asked for, because
 * the engine leads the team, says itself which message gave it. `decisionId` is the
 * decision a model call led to, and for any other step the one that chose it (else one taken during it).
 */
async function getStepRecord(workspaceId: WorkspaceId, place: StepPlace): Promise<StepRecord> {
  const { rows } = await pool().query<{ row: StepRecord }>(
    `SELECT row_to_json(z) AS row FROM (SELECT ${STEP_COLUMNS},
       s.call_id AS "callId", s.request_messages AS "requestMessages",
       s.reply_message AS "replyMessage", s.request_hash AS "requestHash", s.error -> 'details' AS "errorDetails",
       (SELECT t.text FROM reasonings t WHERE t.workspace_id = s.workspace_id AND t.agent_run_id = s.agent_run_id
          AND t.position = s.position) AS reasoning,
       coalesce(s.request_messages - 1,
         (SELECT m.reply_message FROM steps m
          WHERE m.workspace_id = s.workspace_id AND m.agent_run_id = s.agent_run_id AND m.position < s.position
            AND m.kind = 'model' AND m.reply_message IS NOT NULL
          ORDER BY m.position DESC LIMIT 1)) AS "callerMessage",
       (SELECT d.id FROM decisions d
        WHERE d.workspace_id = s.workspace_id AND d.run_id = s.run_id AND d.agent_run_id = s.agent_run_id
          AND (d.position = s.position OR d.chosen @> jsonb_build_array(jsonb_build_object('position', s.position)))
        ORDER BY (d.position = s.position) = (s.kind IN ('model', 'summary')) DESC, d.at, d.ordinal LIMIT 1) AS "decisionId",
       (SELECT json_build_object('key', e.key, 'status', e.status, 'honoursKey', e.honours_key,
                                 'intendedAt', e.intended_at, 'settledAt', e.settled_at, 'sentKey', e.sent_key,
                                 'strategy', e.strategy, 'callKey', e.call_key,
                                 'repeats', CASE WHEN e.repeats_agent_run_id IS NOT NULL THEN json_build_object('runId', b.run_id,
                                   'agentRunId', e.repeats_agent_run_id, 'position', e.repeats_position) END)
        FROM effects e LEFT JOIN agent_runs b ON b.workspace_id = e.workspace_id AND b.id = e.repeats_agent_run_id
        WHERE e.workspace_id = s.workspace_id AND e.agent_run_id = s.agent_run_id AND e.position = s.position
        ORDER BY e.intended_at DESC LIMIT 1) AS effect,
       (SELECT row_to_json(x) FROM (SELECT ${REQUEST_COLUMNS} FROM human_requests q ${REQUEST_JOINS}
        WHERE q.workspace_id = s.workspace_id AND q.agent_run_id = s.agent_run_id AND q.position = s.position
        ORDER BY q.created_at DESC LIMIT 1) x) AS "humanRequest"
     FROM steps s ${USAGE_JOIN}
     WHERE s.workspace_id = $1 AND s.run_id = $2 AND s.agent_run_id = $3 AND s.position = $4) z`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This step is not recorded, or it is in another workspace.");
  return rows[0].row;
}

async function rebuildRequest(
  workspaceId: WorkspaceId,
  sent: { agentRunId: string; messages: number; hash: string },
): Promise<StepDetail["request"]> {
  const [stored, blobs, redaction] = await Promise.all([
    listMessages(workspaceId, { agentRunId: sent.agentRunId, from: 0, to: sent.messages }),
    findBlobs(workspaceId, [sent.hash]),
    findRedaction(workspaceId),
  ]);
  const content = blobs.get(sent.hash);
  return content === undefined ? null : requestAsSent(content, stored, redaction);
}

async function findCall(
  workspaceId: WorkspaceId,
  sought: { agentRunId: string; callId: string; callerMessage: number; replyMessage: number | null },
): Promise<StepDetail["call"]> {
  const { agentRunId, callId, callerMessage, replyMessage } = sought;
  const [caller, result] = await Promise.all([
    findMessage(workspaceId, { agentRunId, index: callerMessage }),
    replyMessage === null ? null : findMessage(workspaceId, { agentRunId, index: replyMessage }),
  ]);
  const call = caller?.calls.find((candidate) => candidate.id === callId);
  return call ? { name: call.name, arguments: call.arguments, result: result?.content ?? null } : null;
}
