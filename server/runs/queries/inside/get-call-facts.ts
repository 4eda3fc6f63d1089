import { createHash } from "node:crypto";
import { pool } from "@/server/db";
import { canonicalJson } from "@/server/engine/canonical-json";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { StepInput } from "../../schema";
import { findBlobs } from "../blobs";
import type { CallFacts } from "./schema";

type CallRecord = {
  requestHash: string | null;
  usage: CallFacts["usage"];
  sameRequests: number;
};
type RequestBlob = { model: string; tools: { name: string; parameters: unknown }[]; compaction?: unknown };

/**
 * What is known of a recorded model call beside its texts: how much its model takes, what the provider counted, the hash of the tools offered
 * (LLM-OBS-09, -11, TID-TOK-03). Throws NOT_FOUND for a step that sent nothing to a model.
 */
export async function getCallFacts(workspaceId: WorkspaceId, place: StepInput): Promise<CallFacts> {
  const { rows } = await pool().query<CallRecord>(
    `SELECT s.request_hash AS "requestHash", CASE WHEN u.position IS NOT NULL THEN json_build_object(
         'inputTokens', u.input_tokens, 'cachedTokens', u.cached_tokens, 'outputTokens', u.output_tokens) END AS usage,
       (SELECT count(*)::int FROM steps o WHERE o.workspace_id = s.workspace_id AND o.run_id = s.run_id
          AND o.request_hash = s.request_hash) AS "sameRequests"
     FROM steps s LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
     WHERE s.workspace_id = $1 AND s.run_id = $2 AND s.agent_run_id = $3 AND s.position = $4`,
    [workspaceId, place.runId, place.agentRunId, place.position],
  );
  const [row] = rows;
  const blobs = await findBlobs(workspaceId, row?.requestHash ? [row.requestHash] : []);
  const blob = row?.requestHash ? blobs.get(row.requestHash) : undefined;
  if (!row || blob === undefined)
    throw new AppError("NOT_FOUND", "This step sent nothing to a model, or it is in another workspace.");
  const { model, tools, compaction } = JSON.parse(blob) as RequestBlob;
  const said = row.usage && row.usage.inputTokens + row.usage.outputTokens > 0 ? row.usage : null;
  return {
    ...{ model, usage: said, wasAnswered: row.usage !== null, isCondensed: Boolean(compaction) },
    ...{ contextTokens: await findContextTokens(workspaceId, model), toolsHash: hashOfTools(tools) },
    sameRequests: row.sameRequests,
  };
}

/** Names and schemas in a fixed order: descriptions may be reworded without another hash. */
function hashOfTools(tools: RequestBlob["tools"]): string {
  const surface = tools
    .map(({ name, parameters }) => ({ name, parameters }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return createHash("sha256").update(canonicalJson(surface)).digest("hex");
}

/** "provider/model", cut at the first slash: the names of models hold slashes themselves. */
async function findContextTokens(workspaceId: WorkspaceId, ref: string): Promise<number | null> {
  const { rows } = await pool().query<{ tokens: number | null }>(
    `SELECT m.context_tokens AS tokens FROM providers p
     JOIN provider_models m ON m.workspace_id = p.workspace_id AND m.provider_id = p.id
     WHERE p.workspace_id = $1 AND p.name = split_part($2, '/', 1) AND m.name = substr($2, strpos($2, '/') + 1)`,
    [workspaceId, ref],
  );
  return rows[0]?.tokens ?? null;
}
