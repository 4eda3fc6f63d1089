import pg from "pg";
import { v7 as newId } from "uuid";
import { agentConfig } from "@/server/agents/schema";
import { isInTheirWords } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import { inTransaction } from "@/server/transaction";
import { whyNotUpload } from "@/server/usage/rules";
import { lockUpkeep, StorageFull } from "@/server/usage/service/count-against-limits";
import { readLimits, readUsedBytes } from "@/server/usage/service/read-standing";
import type { Scope } from "@/server/workspaces/scope";
import { tagKey } from "../list-schema";
import { PARTS, type PartName } from "./format";
import { type CheckedFile, type FileRow, readRows } from "./read-run-file";

/** Rows, and about as many characters, that go in one statement: none may take long on the embedded database. */
const ROWS_A_STATEMENT = 1_000;
const CHARACTERS_A_STATEMENT = 2_000_000;

type Row = Record<string, unknown>;
type Storing = CheckedFile & { scope: Scope; runId: string; at: Date };

/**
 * Stores the run of a checked file under new ids, in one transaction: all of it or nothing. Its teams and agents are stored as deleted ones,
 * since nothing here may run them. Returns the new id. Throws INVALID when the file contradicts itself in a way only the database sees, or
 * there is no room for it.
 */
export async function storeRunFile(scope: Scope, path: string, checked: CheckedFile): Promise<string> {
  const runId = checked.ids.get(checked.header.run.id);
  if (!runId) throw new Error("the run of the file has no id");
  try {
    await inTransaction(async (client) => {
      const storing = { ...checked, scope, runId, at: new Date() };
      await assertFits(client, scope.workspaceId, checked.bytes);
      let runStored = false;
      for await (const rows of inPieces(readRows(path))) {
        const name = rows[0]?.name ?? "events";
        if (name !== "versions" && !runStored) {
          await insertRun(client, storing);
          runStored = true;
        }
        await STORE[name](
          client,
          storing,
          rows.map(({ row }) => row),
        );
      }
      await linkSpawned(client, storing);
    });
  } catch (error) {
    // Of classes 22 and 23: values no column takes, and rows that contradict others.
    if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? "")) throw error;
    throw new AppError("INVALID", "This run file cannot be opened: its rows contradict each other.", { cause: error });
  }
  return runId;
}

/** Rows of one part at a time. */
async function* inPieces(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let piece: FileRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    const isFull = piece.length >= ROWS_A_STATEMENT || characters >= CHARACTERS_A_STATEMENT;
    if (piece.length > 0 && (isFull || piece[0]?.name !== row.name)) {
      yield piece;
      [piece, characters] = [[], 0];
    }
    piece.push(row);
    characters += JSON.stringify(row.row).length;
  }
  if (piece.length > 0) yield piece;
}

type Store = (client: pg.ClientBase, storing: Storing, rows: Row[]) => Promise<unknown>;

/** Inserts rows as they are, but for ids; what is not a column of the file has its default. */
const plainly =
  (name: PartName, change: (row: Row, storing: Storing) => Row = (row) => row): Store =>
  (client, storing, rows) => {
    const changed = rows.map((row) => ({
      ...change(withNewIds(name, row, storing.ids), storing),
      ...placeOf(name, storing),
    }));
    return insert(client, name, changed);
  };

const STORE: Readonly<Record<PartName, Store>> = {
  versions: insertVersions,
  blobs: async (client, { scope }, rows) => {
    await client.query(
      `INSERT INTO blobs (workspace_id, hash, part, content)
       SELECT $1, x.hash, x.part, x.content FROM json_to_recordset($2::json) AS x(hash text, part int, content text)
       ON CONFLICT DO NOTHING`,
      [scope.workspaceId, JSON.stringify(rows)],
    );
  },
  // Decisions come after the agents they started.
  agent_runs: plainly("agent_runs", (row) => ({
    ...row,
    spawned_by_id: null,
    open_steps: [],
    unit: 0,
    generation: 0,
    attempts: 0,
  })),
  decisions: plainly("decisions"),
  decision_labels: plainly("decision_labels", (row) => ({ ...row, id: newId() })),
  steps: plainly("steps"),
  usages: plainly("usages"),
  messages: plainly("messages"),
  reasonings: plainly("reasonings"),
  effects: plainly("effects", (row) => ({ ...row, key: `${row.agent_run_id}${String(row.key).slice(36)}` })),
  human_requests: plainly("human_requests", (row) => ({ ...row, told_ids: [] })),
  steers: plainly("steers"),
  tasks: plainly("tasks"),
  mails: plainly("mails"),
  // What they lead to is not here.
  citations: plainly("citations", (row) => ({ ...row, chunk_id: newId(), base_id: newId(), document_id: newId() })),
  retrievals: plainly("retrievals"),
  events: plainly("events", (row, { ids }) => ({
    ...row,
    body: isInTheirWords(String(row.kind)) ? row.body : withOurIds(row.body, ids),
  })),
};

const WITHOUT_RUN: readonly PartName[] = ["messages", "reasonings", "decision_labels", "retrievals"];

function placeOf(name: PartName, { scope, runId }: Storing): Row {
  return { workspace_id: scope.workspaceId, ...(WITHOUT_RUN.includes(name) ? {} : { run_id: runId }) };
}

/** Columns are those of the rows, which are of this product's own making; values go as one parameter. */
async function insert(client: pg.ClientBase, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((column) => `"${column}"`)
    .join(", ");
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

function withNewIds(name: PartName, row: Row, ids: ReadonlyMap<string, string>): Row {
  const { own, refs = [], elsewhere = [], columns } = PARTS[name];
  const changed: Row = Object.fromEntries(Object.keys(columns.shape).map((column) => [column, row[column]]));
  for (const column of own ? [own, ...refs] : refs) {
    if (typeof row[column] === "string") changed[column] = ids.get(row[column]);
  }
  for (const column of elsewhere) changed[column] = ids.get(String(row[column])) ?? null;
  return changed;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An event's body with new ids; one that is of nothing in the file, such as a person's, becomes one of nothing here either. */
function withOurIds(body: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === "string" && ID.test(value) ? (ids.get(value) ?? newId()) : value,
  );
}

async function insertVersions(client: pg.ClientBase, { scope, ids, at }: Storing, rows: Row[]): Promise<void> {
  const { workspaceId } = scope;
  const versions = rows.map(({ id, name, number, purpose, instructions, model }) => ({
    ...{ id: ids.get(String(id)), agent_id: newId(), workspace_id: workspaceId, name, number },
    // Tools and knowledge are of another installation.
    config: agentConfig.parse({ purpose, instructions, model }),
  }));
  await insert(
    client,
    "agents",
    versions.map(({ agent_id: id, name, config, workspace_id }) => ({
      ...{ id, workspace_id, name, draft: config, draft_revision: 1, created_at: at, updated_at: at, archived_at: at },
    })),
  );
  await insert(
    client,
    "agent_versions",
    versions.map(({ name: _, ...version }) => ({ ...version, note: "", draft_revision: 1, published_at: at })),
  );
}

async function insertRun(client: pg.ClientBase, storing: Storing): Promise<void> {
  const { scope, runId, header, ids, at, sha256, rootVersionId } = storing;
  const { workspaceId } = scope;
  const { id: sourceRunId, ...run } = header.run;
  const target =
    header.target.kind === "team" ? await insertTeam(client, storing) : { agent_version_id: ids.get(rootVersionId) };
  await insert(client, "runs", [
    {
      ...{ ...run, ...target, id: runId, workspace_id: workspaceId, open_requests: 0 },
      ...{ passed_shares: [], overrides: {}, progress_at: run.finished_at },
    },
  ]);
  await client.query(
    `INSERT INTO run_imports (run_id, workspace_id, source_run_id, source_workspace_id, source_workspace, started_by, saved_by, saved_at,
       sha256, imported_at, imported_by_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[runId, workspaceId, sourceRunId, header.workspace.id, header.workspace.name, header.startedBy],
      ...[header.savedBy, header.savedAt, sha256, at, scope.userId],
    ],
  );
  const tags = new Map(header.tags.map((tag) => [tagKey(tag), tag]));
  if (tags.size > 0) {
    await insert(
      client,
      "run_tags",
      [...tags].map(([key, tag]) => ({ run_id: runId, key, workspace_id: workspaceId, tag })),
    );
  }
}

async function insertTeam(client: pg.ClientBase, { scope, header, at }: Storing): Promise<Row> {
  const { workspaceId } = scope;
  const { name, version: number } = header.target;
  const team = { id: newId(), workspace_id: workspaceId };
  const version = { id: newId(), workspace_id: workspaceId, team_id: team.id, number };
  const times = { created_at: at, updated_at: at, archived_at: at };
  await insert(client, "teams", [{ ...team, name, description: "", draft_revision: 1, ...times }]);
  await insert(client, "team_versions", [
    {
      ...version,
      pattern: "coordinate",
      pattern_settings: {},
      limits: {},
      note: "",
      draft_revision: 1,
      published_at: at,
    },
  ]);
  return { team_id: team.id, team_version_id: version.id };
}

async function linkSpawned(client: pg.ClientBase, { scope, ids, spawnedBy }: Storing): Promise<void> {
  const pairs = [...spawnedBy].map(([agent, decision]) => [ids.get(agent), ids.get(decision)]);
  await client.query(
    `UPDATE agent_runs a SET spawned_by_id = x.decision FROM unnest($2::uuid[], $3::uuid[]) AS x(id, decision)
     WHERE a.workspace_id = $1 AND a.id = x.id`,
    [scope.workspaceId, pairs.map(([agent]) => agent), pairs.map(([, decision]) => decision)],
  );
}

/** What the run will be measured to keep is not known yet: its file says about how much. Throws StorageFull. */
async function assertFits(client: pg.ClientBase, workspaceId: string, bytes: number): Promise<void> {
  await lockUpkeep(client, workspaceId);
  const limits = await readLimits(client, workspaceId);
  const whyNot = whyNotUpload(limits, await readUsedBytes(client, workspaceId), bytes);
  if (whyNot) throw new StorageFull(whyNot);
}
