import { pool } from "@/server/db";
import type { CallSettings } from "@/server/engine/call-settings";
import { deriveId, hashOf } from "@/server/engine/ids";
import { AppError } from "@/server/errors";
import { costParts } from "@/server/models/cost";
import type { StoredFacts, TokenUsage } from "@/server/models/model";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ModelCall, StepInput } from "../step-schema";
import { findBlobs } from "./blobs";
import { toInstant } from "./instant";
import { FAILURES_BEFORE, IS_MODEL_CALL } from "./model-call-sql";
import { CALL_JSON } from "./row-json";
import { surfaceHash } from "./tool-surface";

type CallRecord = {
  kind: string;
  name: string;
  status: string;
  startedAt: string;
  finishedAt: string;
  error: { code: string; message: string; details?: { type?: string | null } } | null;
  requestHash: string | null;
  requestMessages: number | null;
  isReused: boolean;
  usage: StoredUsage | null;
  told: StoredFacts | null;
  failuresBefore: number;
  reservation: ModelCall["reservation"];
  sameRequests: number;
};
/** What is missing is null: of a call from before it was kept, or where there is none. */
type StoredUsage = {
  provider: string;
  model: string;
  input: number;
  cached: number;
  output: number;
  reasoning?: number | null;
  cost: number | null;
  inputRate?: number | null;
  cachedRate?: number | null;
  outputRate?: number | null;
  reasoningRate?: number | null;
};
/** As it is set now of the workspace's provider and model of these names; null what is not. */
type SetModel = { baseUrl: string; contextTokens: number | null };

/**
 * One model call as a record (LLM-OBS-01, LLM-OBS-03, LLM-OBS-08, LLM-OBS-09, TID-TOK-03): everything but what was said, which `getStep`
 * has. Derived from what is stored anyway. Null stands for what nobody told. The call that condensed a tool's result belongs to the tool's
 * step and has its times and its error. Throws NOT_FOUND, also for a step that sent nothing to a model.
 */
export async function getModelCall(workspaceId: WorkspaceId, place: StepInput): Promise<ModelCall> {
  const row = await getRecord(workspaceId, place);
  const content =
    row.requestHash === null ? undefined : (await findBlobs(workspaceId, [row.requestHash])).get(row.requestHash);
  const request = content === undefined ? null : (JSON.parse(content) as Requested);
  const { usage, told } = row;
  const asked = request && partsOf(request.model);
  const reached = await reachedBy(workspaceId, request, usage ?? asked);
  const reasoning = usage?.reasoning ?? told?.reasoningTokens ?? null;
  const [startedAt, completedAt] = [toInstant(row.startedAt), toInstant(row.finishedAt)];
  return {
    callId: deriveId(place.agentRunId, `model call ${place.position}`),
    ...{ startedAt, completedAt, elapsedMs: Date.parse(completedAt) - Date.parse(startedAt) },
    provider: usage?.provider ?? asked?.provider ?? null,
    model: row.kind === "tool" ? (asked?.model ?? "") : row.name,
    responseModel: usage && !told?.isUnnamed ? (told?.model ?? usage.model) : null,
    ...reached,
    parameters: {
      temperature: request?.temperature ?? null,
      ...(request?.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    },
    messages: row.requestMessages,
    ...{ isCondensed: Boolean(request?.compaction), sameRequests: row.sameRequests },
    tools: request && { names: request.tools.map(({ name }) => name), hash: surfaceHash(request.tools) },
    usage: usage && {
      ...{ prompt: usage.input, completion: usage.output, cached: usage.cached, reasoning },
      total: usage.input + usage.output,
      // An endpoint that counts nothing is not one that costs nothing (LLM-OBS-11).
      isKnown: usage.input + usage.output > 0,
    },
    cost: usage && { nanoUsd: usage.cost, ...billed(usage, reasoning) },
    finishReason: told?.finishReason ?? null,
    error: row.error && { class: row.error.details?.type ?? null, code: row.error.code, message: row.error.message },
    stream: told?.pieces === undefined ? null : { firstPieceMs: told.firstPieceMs ?? null, pieces: told.pieces },
    reservation: row.reservation,
    retryAttempt: row.failuresBefore,
    isReused: row.isReused,
  };
}

/** Of a call from before they were kept some settings are absent. */
type Requested = Pick<CallSettings, "model"> &
  Partial<CallSettings> & {
    tools: { name: string; parameters: unknown }[];
    compaction?: unknown;
  };

/** "provider/model", cut at the first slash: the names of models hold slashes themselves. */
function partsOf(ref: string): { provider: string | null; model: string } {
  const slash = ref.indexOf("/");
  return slash < 0 ? { provider: null, model: ref } : { provider: ref.slice(0, slash), model: ref.slice(slash + 1) };
}

/** What it was billed at, and what that comes to by part (LLM-OBS-01, LLM-OBS-06): as it was kept with the call, whatever is set now. */
function billed(usage: StoredUsage, reasoning: number | null): Pick<NonNullable<ModelCall["cost"]>, "rates" | "parts"> {
  const { inputRate, outputRate, cachedRate = null, reasoningRate = null } = usage;
  if (inputRate == null || outputRate == null) return { rates: null, parts: null };
  const price = {
    ...{ inputNanoUsd: inputRate, cachedNanoUsd: cachedRate },
    ...{ outputNanoUsd: outputRate, reasoningNanoUsd: reasoningRate },
  };
  const tokens: TokenUsage = {
    ...{ inputTokens: usage.input, cachedTokens: usage.cached, outputTokens: usage.output },
    ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
  };
  const { totalNanoUsd: _, ...parts } = costParts(tokens, price);
  return {
    rates: {
      version: hashOf(JSON.stringify(price)).slice(0, 12),
      ...{ inputNanoUsdPerMtok: inputRate, cachedNanoUsdPerMtok: cachedRate },
      ...{ outputNanoUsdPerMtok: outputRate, reasoningNanoUsdPerMtok: reasoningRate },
    },
    parts,
  };
}

async function getRecord(workspaceId: WorkspaceId, place: StepInput): Promise<CallRecord> {
  const { rows } = await pool().query<{ row: CallRecord }>(
    `SELECT row_to_json(x) AS row FROM (
       SELECT s.kind, s.name, s.status, s.started_at AS "startedAt", s.finished_at AS "finishedAt", s.error, s.request_hash AS "requestHash",
         s.request_messages AS "requestMessages", s.reused IS NOT NULL AS "isReused", m.content -> 'told' AS told,
         CASE WHEN c.agent_run_id IS NOT NULL THEN ${CALL_JSON} || jsonb_build_object('input', c.input_tokens, 'output', c.output_tokens,
             'cost', c.cost_nano_usd)
           WHEN s.reused ? 'call' THEN s.reused -> 'call' || jsonb_build_object('input', s.reused -> 'inputTokens',
             'output', s.reused -> 'outputTokens', 'cost', s.reused -> 'costNanoUsd') END AS usage,
         (SELECT json_build_object('status', q.status, 'costNanoUsd', q.cost_nano_usd, 'tokens', q.tokens) FROM reservations q
          WHERE q.workspace_id = s.workspace_id AND q.agent_run_id = s.agent_run_id AND q.position = s.position
          ORDER BY q.epoch DESC LIMIT 1) AS reservation,
         ${FAILURES_BEFORE} AS "failuresBefore",
         (SELECT count(*)::int FROM steps o WHERE o.workspace_id = s.workspace_id AND ${ofRun("o", "s.run_id")}
            AND o.request_hash = s.request_hash) AS "sameRequests"
       FROM steps s
       LEFT JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position
       LEFT JOIN messages m ON m.workspace_id = s.workspace_id AND m.agent_run_id = s.agent_run_id AND m.index = s.reply_message
         AND m.role = 'assistant'
       WHERE s.workspace_id = $1 AND s.run_id = $2 AND s.agent_run_id = $3 AND s.position = $4 AND ${IS_MODEL_CALL}
     ) x`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  const row = rows[0]?.row;
  if (!row) throw new AppError("NOT_FOUND", "There is no such model call, or it is in another workspace.");
  return row;
}

/** Where it went and how much that model takes, as kept with the call; what was not kept, as it is set now. */
async function reachedBy(
  workspaceId: WorkspaceId,
  request: Requested | null,
  called: { provider: string | null; model: string } | null,
): Promise<Pick<ModelCall, "endpoint" | "contextTokens" | "ofToday">> {
  const { endpoint, contextTokens } = request ?? {};
  const set = endpoint !== undefined && contextTokens != null ? null : await findSetModel(workspaceId, called);
  const ofToday = {
    endpoint: endpoint === undefined && set !== null,
    // Said since then, it tells how full the context was all the same.
    contextTokens: contextTokens == null && set?.contextTokens != null,
  };
  return {
    endpoint: (endpoint === undefined ? set?.baseUrl : endpoint) ?? "",
    contextTokens: contextTokens ?? set?.contextTokens ?? null,
    ofToday,
  };
}

async function findSetModel(
  workspaceId: WorkspaceId,
  called: { provider: string | null; model: string } | null,
): Promise<SetModel | null> {
  if (!called?.provider) return null;
  const { rows } = await pool().query<{ row: SetModel }>(
    `SELECT json_build_object('baseUrl', p.base_url, 'contextTokens', o.context_tokens) AS row
     FROM providers p LEFT JOIN provider_models o ON o.workspace_id = p.workspace_id AND o.provider_id = p.id AND o.name = $3
     WHERE p.workspace_id = $1 AND p.name = $2`,
    [workspaceId, called.provider, called.model],
  );
  return rows[0]?.row ?? null;
}
