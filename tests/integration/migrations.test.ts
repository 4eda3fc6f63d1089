import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterEach, describe, expect, test } from "vitest";
import { agentConfig } from "@/server/agents/schema";
import { openedRow } from "@/server/engine/journal/opened";
import { DATABASE_KINDS, type DatabaseKind } from "../support/databases";
import { root } from "../support/migrated";

/** A database without anything in it. */
type Empty = { run(sql: string): Promise<Record<string, unknown>[]>; drop(): Promise<void> };

async function emptyDatabase(kind: DatabaseKind): Promise<Empty> {
  if (kind === "embedded") {
    const database = await PGlite.create({ extensions: { vector } });
    const run = async (sql: string) => (await database.exec(sql)).at(-1)?.rows ?? [];
    return { run, drop: () => database.close() };
  }
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `troupe_test_migrations_${uuid().slice(-12)}`;
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    async run(sql) {
      const result = (await client.query(sql)) as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    },
    async drop() {
      await client.end();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
}

const MIGRATIONS = readdirSync(join(root, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const sqlOf = (name: string) => readFileSync(join(root, "prisma/migrations", name, "migration.sql"), "utf8");
const [w, u, a, v, t, tv, n, child, r1, r2, root1, root2] = Array.from({ length: 12 }, () => uuid());
const config = (canSpawnAgents: boolean) => {
  // As it was stored before agents had knowledge and tools that ask.
  const {
    askBefore: _,
    knowledge: __,
    ...stored
  } = agentConfig.parse({ purpose: "Leads.", instructions: "Lead.", canSpawnAgents });
  return JSON.stringify(stored);
};

/** A workspace as the first release left it: a team, a run that ended and one that is queued. */
const BEFORE = `
  insert into workspaces (id, name) values ('${w}', 'Old house');
  insert into users (id, email, name, password_hash) values ('${u}', 'ada@example.test', 'Ada', 'x');
  insert into members (workspace_id, user_id, role) values ('${w}', '${u}', 'owner');
  insert into agents (id, workspace_id, name, draft) values ('${a}', '${w}', 'Lead', '${config(true)}');
  insert into agent_versions (id, workspace_id, agent_id, number, config) values ('${v}', '${w}', '${a}', 1, '${config(true)}');
  insert into teams (id, workspace_id, name) values ('${t}', '${w}', 'Desk');
  insert into team_versions (id, workspace_id, team_id, number, limits) values ('${tv}', '${w}', '${t}', 1, '{}');
  insert into team_nodes (id, workspace_id, team_version_id, parent_id, agent_version_id, position)
    values ('${n}', '${w}', '${tv}', null, '${v}', 0), ('${child}', '${w}', '${tv}', '${n}', '${v}', 0);
  insert into runs (id, workspace_id, team_id, team_version_id, title, input, model, status, answer, started_by_id)
    values ('${r1}', '${w}', '${t}', '${tv}', 'Old run', 'Do it.', 'rehearsal/rehearsal', 'completed', 'Done.', '${u}'),
           ('${r2}', '${w}', '${t}', '${tv}', 'Waiting run', 'Do it.', 'rehearsal/rehearsal', 'queued', null, '${u}');
  insert into agent_runs (id, workspace_id, run_id, handle, name, agent_version_id, team_node_id, depth, task, status)
    values ('${root1}', '${w}', '${r1}', 'agent_1', 'Lead', '${v}', '${n}', 0, 'Do it.', 'completed'),
           ('${root2}', '${w}', '${r2}', 'agent_2', 'Lead', '${v}', '${n}', 0, 'Do it.', 'queued');
  insert into messages (agent_run_id, index, workspace_id, role, content)
    values ('${root1}', 0, '${w}', 'system', '{"role":"system","content":"Lead."}');
  insert into usages (agent_run_id, position, workspace_id, run_id, provider, model, input_tokens, output_tokens, cost_nano_usd)
    values ('${root1}', 0, '${w}', '${r1}', 'rehearsal', 'rehearsal', 10, 2, 7);
`;
const OLD_TABLES =
  "workspaces users members agents agent_versions teams team_versions team_nodes runs agent_runs messages usages".split(
    " ",
  );

const ENTRIES = "20261129110000_knowledge_entries";
const [base, file, document] = Array.from({ length: 3 }, () => uuid());
/** A document as it was uploaded before there were entries. */
const UPLOADED = `
  insert into knowledge_bases (id, workspace_id, name, dims, settings) values ('${base}', '${w}', 'Handbooks', 480, '{}');
  insert into files (id, workspace_id, name, media_type, size_bytes, sha256, status)
    values ('${file}', '${w}', 'returns.md', 'text/markdown', 3, 'abc', 'stored');
  insert into documents (id, workspace_id, base_id, file_id, name, media_type, size_bytes, sha256, status, revision, live_revision)
    values ('${document}', '${w}', '${base}', '${file}', 'returns.md', 'text/markdown', 3, 'abc', 'ready', 2, 2);
`;

describe.each(DATABASE_KINDS)("documents from before entries (%s)", (kind) => {
  let database: Empty | undefined;
  afterEach(() => database?.drop());

  test("stay uploads as they were; an entry has one of five kinds, and forgets a run that goes and nothing else", async () => {
    database = await emptyDatabase(kind);
    const { run } = database;
    const at = MIGRATIONS.indexOf(ENTRIES);
    for (const name of MIGRATIONS.slice(0, 2)) await run(sqlOf(name));
    await run(BEFORE);
    for (const name of MIGRATIONS.slice(2, at)) await run(sqlOf(name));
    await run(UPLOADED);
    const [before] = await run("select to_jsonb(d) as row from documents d");

    for (const name of MIGRATIONS.slice(at)) await run(sqlOf(name));

    const [after] = await run(
      "select to_jsonb(d) - '{entry_kind,from_run_id,from_place}'::text[] as row, entry_kind from documents d",
    );
    expect(after).toEqual({ row: before?.row, entry_kind: null });
    await run(`update documents set entry_kind = 'learning', from_run_id = '${r1}', from_place = 'agent:${root1}'`);
    await expect(run("update documents set entry_kind = 'rumour'")).rejects.toThrow("documents_entry_kind_check");
    await run(`delete from runs where id = '${r1}'`);
    expect(await run("select workspace_id, entry_kind, from_run_id from documents")).toEqual([
      { workspace_id: w, entry_kind: "learning", from_run_id: null },
    ]);
  });
});

describe.each(DATABASE_KINDS)("an installation of the first release (%s)", (kind) => {
  let database: Empty | undefined;
  afterEach(() => database?.drop());

  test("is brought up to date with all its rows as they were, and its queued run can be begun", async () => {
    database = await emptyDatabase(kind);
    const { run } = database;
    for (const name of MIGRATIONS.slice(0, 2)) await run(sqlOf(name));
    await run(BEFORE);
    const rowsOf = async (table: string, columns: string) =>
      run(`select ${columns} from ${table} order by to_jsonb(${table})::text`);
    const before = new Map<string, { columns: string; rows: unknown }>();
    for (const table of OLD_TABLES) {
      const names = await run(
        `select column_name from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by 1`,
      );
      const columns = names.map(({ column_name }) => `"${column_name}"`).join(", ");
      before.set(table, { columns, rows: await rowsOf(table, columns) });
    }

    for (const name of MIGRATIONS.slice(2)) await run(sqlOf(name));

    for (const [table, { columns, rows }] of before) {
      const after = await run(`select ${columns} from ${table}`);
      const sorted = (list: unknown) => (list as object[]).map((row) => JSON.stringify(row)).sort();
      expect({ table, rows: sorted(after) }).toEqual({ table, rows: sorted(rows) });
    }
    // Nobody knows what it was billed at.
    expect(await run("select input_rate, cached_rate, output_rate, reasoning_rate from usages")).toEqual([
      { input_rate: null, cached_rate: null, output_rate: null, reasoning_rate: null },
    ]);
    // What replaces a function must say its settings again.
    const [written] = await run("select proconfig from pg_proc where proname = 'journal_write'");
    expect(String(written?.proconfig)).toContain("enable_hashjoin=off");
    // Nothing was said of what they are about.
    expect(await run("select distinct context from agent_runs")).toEqual([{ context: null }]);
    const [opened] = await run(`select journal_open('${root2}', 'worker-1') as opened`);
    const parsed = openedRow.parse(opened?.opened);
    expect(parsed).toMatchObject({
      run: { model: "rehearsal/rehearsal", pattern: "coordinate" },
      history: [],
      context: null,
    });
    expect(parsed.spawnable).toMatchObject([{ name: "Lead", purpose: "Leads." }]);
    expect(agentConfig.parse(parsed.config)).toMatchObject({ askBefore: [], knowledge: [] });
  });
});
