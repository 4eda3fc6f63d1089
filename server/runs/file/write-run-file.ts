import { createHash } from "node:crypto";
import { pool } from "@/server/db";
import { hashOf } from "@/server/engine/ids";
import { blobParts } from "@/server/engine/journal/stored-message";
import { runLimits } from "@/server/engine/run-limits";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { findBlobs, listBlobHashes } from "@/server/runs/queries/blobs";
import { ofRun } from "@/server/runs/queries/of-run";
import { insideJson } from "@/server/secrets/inside-json";
import { workspaceRedactor } from "@/server/secrets/workspace-redactor";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { FORMAT, PART_NAMES, PARTS, type PartName, type RunFileHeader } from "./format";

const ROWS_A_READ = 500;
const BLOBS_A_READ = 8;

type Key = readonly (readonly [column: string, type: string])[];
type Source = { from: string; where: string; key: Key; columns?: Readonly<Record<string, string>> };

const OF_RUN = "x.workspace_id = $1 AND x.run_id = $2";
const OF_ITS_AGENTS = `x.workspace_id = $1 AND ${ofRun("x", "$2")}`;
const BY_STEP = [
  ["agent_run_id", "uuid"],
  ["position", "int"],
] as const;

/** Where the rows of a part are, in which order, and columns that are not simply theirs. Parents before children. */
const SOURCES: Readonly<Record<Exclude<PartName, "blobs">, Source>> = {
  versions: {
    from: "agent_versions x JOIN agents g ON g.workspace_id = x.workspace_id AND g.id = x.agent_id",
    where: `x.workspace_id = $1 AND x.id IN (SELECT agent_version_id FROM agent_runs WHERE workspace_id = $1 AND run_id = $2
      UNION SELECT agent_version_id FROM runs WHERE workspace_id = $1 AND id = $2)`,
    key: [["id", "uuid"]],
    columns: {
      name: "g.name",
      purpose: "left(coalesce(x.config ->> 'purpose', ''), 500)",
      instructions: "left(coalesce(x.config ->> 'instructions', ''), 20000)",
      model: "left(x.config ->> 'model', 300)",
    },
  },
  agent_runs: {
    from: "agent_runs x",
    where: OF_RUN,
    key: [
      ["depth", "int"],
      ["id", "uuid"],
    ],
  },
  decisions: { from: "decisions x", where: OF_ITS_AGENTS, key: [["id", "uuid"]] },
  decision_labels: {
    from: `decisions d JOIN decision_labels x ON x.workspace_id = d.workspace_id AND x.decision_id = d.id
      LEFT JOIN users u ON u.id = x.user_id`,
    where: `d.workspace_id = $1 AND ${ofRun("d", "$2")}`,
    key: [["id", "uuid"]],
    columns: { author: "coalesce(u.name, x.author)" },
  },
  steps: { from: "steps x", where: OF_ITS_AGENTS, key: BY_STEP },
  usages: { from: "usages x", where: OF_ITS_AGENTS, key: BY_STEP },
  messages: {
    from: "agent_runs a JOIN messages x ON x.workspace_id = a.workspace_id AND x.agent_run_id = a.id",
    where: "a.workspace_id = $1 AND a.run_id = $2",
    key: [
      ["agent_run_id", "uuid"],
      ["index", "int"],
    ],
  },
  effects: { from: "effects x", where: OF_RUN, key: [["key", "text"]] },
  reasonings: { from: "reasonings x", where: OF_ITS_AGENTS, key: BY_STEP },
  human_requests: {
    from: "human_requests x LEFT JOIN users u ON u.id = x.answered_by_id",
    where: OF_RUN,
    key: [["id", "uuid"]],
    columns: {
      answered_by_name: "coalesce(u.name, x.answered_by_name)",
      // Of a run that has ended nobody waits for an answer any more.
      status: "CASE WHEN x.status IN ('open', 'escalated') THEN 'withdrawn' ELSE x.status END",
    },
  },
  steers: { from: "steers x", where: OF_RUN, key: [["id", "uuid"]] },
  tasks: {
    from: "tasks x",
    where: OF_RUN,
    key: [
      ["agent_run_id", "uuid"],
      ["number", "int"],
    ],
  },
  mails: { from: "mails x", where: OF_RUN, key: [["id", "uuid"]] },
  citations: { from: "citations x", where: OF_RUN, key: [["mark", "text"]] },
  retrievals: { from: "retrievals x", where: OF_ITS_AGENTS, key: BY_STEP },
  events: { from: "events x", where: OF_RUN, key: [["seq", "int"]] },
};

type Place = { workspaceId: WorkspaceId; runId: string };

/** Name a file of a run is saved under, without its ending. */
export const fileNameOf = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 80);

/**
 * A run as the lines of its file: all the run page shows, without secrets. A run that has ended does not change any more, so it is read a page at
 * a time and nobody waits for it. Throws NOT_FOUND, INVALID for a run that has not ended, and NOT_READY for secrets that cannot be opened,
 * all before the first line.
 */
export async function openRunFile(
  scope: Scope,
  runId: string,
): Promise<{ title: string; lines: AsyncGenerator<Buffer> }> {
  const place = { workspaceId: scope.workspaceId, runId };
  const redact = await workspaceRedactor(place.workspaceId);
  const header = redact(await readHeader(scope, runId));
  const hashes = await listBlobHashes(place.workspaceId, place.runId);
  return { title: header.run.title, lines: linesOf(place, { header, hashes, redact }) };
}

type What = { header: RunFileHeader; hashes: string[]; redact: <T>(value: T) => T };

async function* linesOf(place: Place, { header, hashes, redact }: What): AsyncGenerator<Buffer> {
  const sum = createHash("sha256");
  const line = (value: unknown) => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    sum.update(bytes);
    return bytes;
  };
  // A blob whose words change goes under another hash, and so does its part of the count.
  const renamed = new Map<string, string>();
  yield line(header);
  for (const name of PART_NAMES as readonly PartName[]) {
    if (name === "blobs") {
      for await (const parts of readBlobs(place, hashes, { redact, renamed })) {
        yield Buffer.concat(parts.map((part) => line([name, part])));
      }
      continue;
    }
    for await (const rows of readPart(place, name)) {
      yield Buffer.concat(rows.map((row) => line([name, withHashes(redact(row), renamed, PARTS[name].blobs ?? {})])));
    }
  }
  yield Buffer.from(`${JSON.stringify({ end: { sha256: sum.digest("hex") } })}\n`);
}

type HeaderRow = {
  run: RunFileHeader["run"] & { status: RunStatus; limits: unknown };
  startedBy: string | null;
  workspace: RunFileHeader["workspace"];
  target: RunFileHeader["target"];
  tags: string[];
  counts: RunFileHeader["counts"];
};

async function readHeader({ workspaceId, userName }: Scope, runId: string): Promise<RunFileHeader> {
  const counts = Object.entries(SOURCES).map(
    ([name, { from, where }]) => `'${name}', (SELECT count(*)::int FROM ${from} WHERE ${where})`,
  );
  const { rows } = await pool().query<HeaderRow>(
    `SELECT json_build_object('id', r.id, 'title', r.title, 'input', r.input, 'status', r.status, 'status_reason', r.status_reason,
         'model', r.model, 'answer', r.answer, 'last_seq', r.last_seq, 'input_tokens', r.input_tokens, 'output_tokens', r.output_tokens,
         'cost_nano_usd', r.cost_nano_usd, 'unpriced_calls', r.unpriced_calls, 'limits', r.limits, 'active_ms', r.active_ms,
         'created_at', iso(r.created_at), 'started_at', iso(r.started_at), 'finished_at', iso(r.finished_at)) AS run,
       coalesce(u.name, i.started_by) AS "startedBy", json_build_object('id', w.id, 'name', w.name) AS workspace,
       json_build_object('kind', CASE WHEN r.team_id IS NULL THEN 'agent' ELSE 'team' END, 'name', coalesce(t.name, g.name),
         'version', coalesce(tv.number, gv.number)) AS target,
       (SELECT coalesce(json_agg(x.tag ORDER BY x.key), '[]') FROM run_tags x WHERE x.workspace_id = $1 AND x.run_id = r.id) AS tags,
       json_build_object(${counts.join(", ")}) AS counts
     FROM runs r JOIN workspaces w ON w.id = r.workspace_id
     LEFT JOIN run_imports i ON i.run_id = r.id LEFT JOIN users u ON u.id = r.started_by_id
     LEFT JOIN teams t ON t.workspace_id = r.workspace_id AND t.id = r.team_id
     LEFT JOIN team_versions tv ON tv.workspace_id = r.workspace_id AND tv.id = r.team_version_id
     LEFT JOIN agent_versions gv ON gv.workspace_id = r.workspace_id AND gv.id = r.agent_version_id
     LEFT JOIN agents g ON g.workspace_id = gv.workspace_id AND g.id = gv.agent_id
     WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL`,
    [workspaceId, runId],
  );
  const [row] = rows;
  if (!row) throw new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  const { run, ...rest } = row;
  if (!isTerminal(run.status)) {
    throw new AppError("INVALID", "Only a run that has ended can be saved as a file. Wait for its end, or stop it.");
  }
  return {
    ...{ troupeRun: FORMAT, savedAt: new Date().toISOString(), savedBy: userName, ...rest },
    run: { ...run, limits: runLimits.parse(run.limits) },
  };
}

type Renaming = { redact: What["redact"]; renamed: Map<string, string> };

async function* readBlobs(
  { workspaceId }: Place,
  hashes: readonly string[],
  { redact, renamed }: Renaming,
): AsyncGenerator<object[]> {
  const written = new Set<string>();
  for (let from = 0; from < hashes.length; from += BLOBS_A_READ) {
    const found = await findBlobs(workspaceId, hashes.slice(from, from + BLOBS_A_READ));
    for (const [hash, content] of found) {
      const clean = insideJson(content, redact);
      const now = clean === content ? hash : hashOf(clean);
      if (now !== hash) renamed.set(hash, now);
      if (written.has(now)) continue;
      written.add(now);
      yield blobParts(clean).map((part) => ({ ...part, hash: now }));
    }
  }
}

/** Pages of a part, by its key. */
async function* readPart({ workspaceId, runId }: Place, name: Exclude<PartName, "blobs">): AsyncGenerator<object[]> {
  const { from, where, key, columns = {} } = SOURCES[name];
  const select = Object.keys(PARTS[name].columns.shape).map(
    (column) => `${columns[column] ?? `x.${column}`} AS "${column}"`,
  );
  const order = key.map(([column]) => `x.${column}`).join(", ");
  const after = key.map(([, type], n) => `($${n + 4}::text)::${type}`).join(", ");
  const marks = key.map(([column], n) => `x.${column}::text AS mark_${n}`).join(", ");
  let last: (string | null)[] = key.map(() => null);
  for (;;) {
    const { rows } = await pool().query<{ row: object } & Record<`mark_${number}`, string>>(
      `SELECT (SELECT to_json(t) FROM (SELECT ${select.join(", ")}) t) AS row, ${marks} FROM ${from}
       WHERE ${where} AND ($4::text IS NULL OR (${order}) > (${after})) ORDER BY ${order} LIMIT $3`,
      [workspaceId, runId, ROWS_A_READ, ...last],
    );
    if (rows.length > 0) yield rows.map(({ row }) => row);
    const end = rows.at(-1);
    if (!end || rows.length < ROWS_A_READ) return;
    last = key.map((_, n) => end[`mark_${n}`] ?? null);
  }
}

/** The row with blobs under the names they have in the file. */
function withHashes(
  row: object,
  renamed: ReadonlyMap<string, string>,
  columns: Readonly<Record<string, unknown>>,
): object {
  if (renamed.size === 0) return row;
  const changed: Record<string, unknown> = { ...row };
  for (const column of Object.keys(columns)) {
    const value = changed[column];
    if (typeof value === "string") changed[column] = renamed.get(value) ?? value;
    else if (typeof value === "object" && value !== null && "blob" in value && typeof value.blob === "string") {
      changed[column] = { ...value, blob: renamed.get(value.blob) ?? value.blob };
    }
  }
  return changed;
}
