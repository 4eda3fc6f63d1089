import { createHash } from "node:crypto";
import { pool } from "@/server/db";
import { listBlobHashes } from "@/server/runs/queries/blobs";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";

const ROWS_A_READ = 1_000;
const BLOBS_A_READ = 20;

type Key = readonly (readonly [column: string, type: string])[];
/**
 * `later`: what rows have since later versions; a row without any of it is sealed as it was before. `isLater`: all of the part is so, and a run
 * that has none of it is sealed as if there were no such part.
 */
type Part = { from: string; where: string; values: string; later?: readonly string[]; isLater?: true; key: Key };

const OF_RUN = "x.workspace_id = $1 AND x.run_id = $2";
const OF_ITS_AGENTS = `x.workspace_id = $1 AND ${ofRun("x", "$2")}`;
const BY_STEP = [
  ["agent_run_id", "uuid"],
  ["position", "int"],
] as const;

/**
 * What a seal covers, in this order, as JSON that is the same on every server: what was said and done, decided and paid. Not what people may
 * change afterwards: title, tags, labels, archive.
 */
const PARTS: readonly Part[] = [
  {
    from: "runs x",
    where: "x.workspace_id = $1 AND x.id = $2",
    values: "x.id, x.input, x.model, x.status, x.answer, x.input_tokens, x.output_tokens, x.cost_nano_usd",
    key: [["id", "uuid"]],
  },
  {
    from: "agent_runs x",
    where: OF_RUN,
    values: `x.id, x.parent_id, x.spawned_by_id, x.handle, x.name, x.task, x.status, x.result, x.input_tokens, x.output_tokens,
      x.cost_nano_usd`,
    key: [["id", "uuid"]],
  },
  {
    from: "events x",
    where: `${OF_RUN} AND x.seq <= $4`,
    values: "x.seq, x.agent_run_id, x.kind, x.body, iso(x.at)",
    key: [["seq", "int"]],
  },
  {
    from: "decisions x",
    where: OF_ITS_AGENTS,
    values: `x.id, x.agent_run_id, x.position, x.ordinal, x.kind, x.options_hash, x.chosen, x.reason, x.source, x.cost_so_far_nano_usd,
      iso(x.at)`,
    key: [["id", "uuid"]],
  },
  {
    from: "steps x",
    where: OF_ITS_AGENTS,
    values: `x.agent_run_id, x.position, x.turn, x.kind, x.name, x.status, x.error, x.call_id, x.request_messages, x.reply_message,
      x.request_hash, x.input_bytes, x.output_bytes, x.reused, iso(x.started_at), iso(x.finished_at)`,
    key: BY_STEP,
  },
  {
    from: "usages x",
    where: OF_ITS_AGENTS,
    values:
      "x.agent_run_id, x.position, x.provider, x.model, x.input_tokens, x.cached_tokens, x.output_tokens, x.cost_nano_usd",
    later: ["x.reasoning_tokens", "x.input_rate", "x.cached_rate", "x.output_rate", "x.reasoning_rate"],
    key: BY_STEP,
  },
  {
    from: "agent_runs a JOIN messages x ON x.workspace_id = a.workspace_id AND x.agent_run_id = a.id",
    where: "a.workspace_id = $1 AND a.run_id = $2",
    values: "x.agent_run_id, x.index, x.role, x.content",
    key: [
      ["agent_run_id", "uuid"],
      ["index", "int"],
    ],
  },
  {
    from: "reasonings x",
    where: OF_ITS_AGENTS,
    values: "x.agent_run_id, x.position, x.text",
    key: BY_STEP,
    isLater: true,
  },
];

/** SHA-256 of a run's record as far as its first `events` events. Read a page at a time, whatever its size. */
export async function digestRun(workspaceId: WorkspaceId, runId: string, events: number): Promise<string> {
  const sum = createHash("sha256").update("troupe seal 1\n");
  for (const { from, where, values, later = [], isLater, key } of PARTS) {
    const line = `json_build_array(${values})`;
    const whole =
      later.length === 0
        ? line
        : `CASE WHEN num_nonnulls(${later.join(", ")}) = 0 THEN ${line} ELSE json_build_array(${values}, ${later.join(", ")}) END`;
    const order = key.map(([column]) => `x.${column}`).join(", ");
    const after = key.map(([, type], n) => `($${n + 5}::text)::${type}`).join(", ");
    const marks = key.map(([column], n) => `x.${column}::text AS mark_${n}`).join(", ");
    let last: (string | null)[] = key.map(() => null);
    let isThere = !isLater;
    for (;;) {
      const { rows } = await pool().query<{ line: string } & Record<`mark_${number}`, string>>(
        `SELECT (${whole})::text AS line, ${marks} FROM ${from}
         WHERE ${where} AND $4::int IS NOT NULL AND ($5::text IS NULL OR (${order}) > (${after})) ORDER BY ${order} LIMIT $3`,
        [workspaceId, runId, ROWS_A_READ, events, ...last],
      );
      isThere ||= rows.length > 0;
      for (const { line } of rows) sum.update(line).update("\n");
      const end = rows.at(-1);
      if (!end || rows.length < ROWS_A_READ) break;
      last = key.map((_, n) => end[`mark_${n}`] ?? null);
    }
    if (isThere) sum.update("\n");
  }
  return sum.digest("hex");
}

/** Whether every large value that the record names is there and is what its hash says: by its hash it is sealed. */
export async function areBlobsWhole(workspaceId: WorkspaceId, runId: string): Promise<boolean> {
  const named = await listBlobHashes(workspaceId, runId);
  for (let from = 0; from < named.length; from += BLOBS_A_READ) {
    const hashes = named.slice(from, from + BLOBS_A_READ);
    const { rows } = await pool().query<{ whole: number }>(
      `SELECT count(*)::int AS whole FROM (
         SELECT hash, encode(sha256(convert_to(string_agg(content, '' ORDER BY part), 'UTF8')), 'hex') AS is
         FROM blobs WHERE workspace_id = $1 AND hash = ANY($2::text[]) GROUP BY hash) b WHERE b.hash = b.is`,
      [workspaceId, hashes],
    );
    if (rows[0]?.whole !== hashes.length) return false;
  }
  return true;
}
