import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkBackup, listBackups, takeBackup } from "@/server/backup/backups";
import { restoreBackup } from "@/server/backup/restore-backup";
import { keyFingerprint } from "@/server/secrets/secrets-key";
import { DATABASE_KINDS, type FreshDatabase, freshDatabase } from "@/tests/support/databases";

vi.setConfig({ testTimeout: 120_000 });

const directory = mkdtempSync(join(tmpdir(), "troupe-backup-"));
const databases: FreshDatabase[] = [];
let source: FreshDatabase;
let backup: string;

beforeAll(async () => {
  source = await freshDatabase("embedded");
  databases.push(source);
  await fill(source.url);
  const { name } = await takeBackup({ ...common, databaseUrl: source.url });
  backup = join(directory, "backups", name);
});
afterAll(async () => {
  for (const database of databases) await database.stop();
  rmSync(directory, { recursive: true });
});

const common = { dataDirectory: directory, reason: "manual" as const, secretsKey: "a key for the tests of backups" };
const restoreOf = (path: string, databaseUrl: string) => ({
  path,
  name: "a backup",
  databaseUrl,
  continueRuns: false,
  forgetSecrets: false,
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function fresh(kind: (typeof DATABASE_KINDS)[number]): Promise<string> {
  const database = await freshDatabase(kind);
  databases.push(database);
  return database.url;
}

const workspaceId = uuid();
/** Texts that a careless writer would change. */
const ODD = ['"quoted", \\back\\slash\\', "two\nlines\r\n\ttab", "ünï – 🦉 \u2028", "\\N", "{a,b}", ""];

/** One row or more of each table whose types could go wrong, and a file of several megabytes. */
async function fill(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("INSERT INTO workspaces (id, name) VALUES ($1, $2)", [workspaceId, ODD.join("|")]);
    for (const name of ODD) {
      await client.query("INSERT INTO agents (id, workspace_id, name, draft) VALUES ($1, $2, $3, $4)", [
        uuid(),
        workspaceId,
        name,
        JSON.stringify({ name, number: 1e30, small: 1e-7, deep: [null, true, { "": name }] }),
      ]);
    }
    await client.query(
      "INSERT INTO providers (id, workspace_id, name, base_url, api_key_sealed) VALUES ($1, $2, 'p', 'https://p.test', 'sealed')",
      [uuid(), workspaceId],
    );
    const fileId = uuid();
    await client.query(
      "INSERT INTO files (id, workspace_id, name, media_type, size_bytes) VALUES ($1, $2, 'big.pdf', 'application/pdf', $3)",
      [fileId, workspaceId, 9_007_199_254_740_993n],
    );
    for (let part = 0; part < 6; part++) {
      const content = Buffer.alloc(1024 * 1024, Buffer.from([part, 0, 255, 10, 92]));
      await client.query("INSERT INTO file_parts (file_id, part, workspace_id, content) VALUES ($1, $2, $3, $4)", [
        fileId,
        part,
        workspaceId,
        content,
      ]);
    }
    const [baseId, documentId, chunkId] = [uuid(), uuid(), uuid()];
    await client.query(
      "INSERT INTO knowledge_bases (id, workspace_id, name, dims, settings) VALUES ($1, $2, 'Base', 3, '{}')",
      [baseId, workspaceId],
    );
    await client.query(
      "INSERT INTO documents (id, workspace_id, base_id, file_id, name, media_type, size_bytes, sha256) VALUES ($1, $2, $3, $4, 'd', 'text/plain', 1, 'x')",
      [documentId, workspaceId, baseId, fileId],
    );
    await client.query(
      "INSERT INTO chunks (id, workspace_id, base_id, document_id, revision, position, text, starts_at, terms) VALUES ($1, $2, $3, $4, 1, 0, $5, 0, 1)",
      [chunkId, workspaceId, baseId, documentId, ODD.join("\n")],
    );
    await client.query(
      "INSERT INTO chunk_embeddings (chunk_id, generation, base_id, dims, embedding) VALUES ($1, 1, $2, 3, '[0.1,-3.4028235e+38,1e-7]')",
      [chunkId, baseId],
    );
    await client.query(
      "INSERT INTO workspace_usage (workspace_id, kind, bytes, items, measured_at) VALUES ($1, 'files', 1, 1, '2026-03-29 01:59:59.123+00')",
      [workspaceId],
    );
  });
}

/** Every row of every table as the server itself writes it, without regard to our own checksums. */
async function contents(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    await client.query("BEGIN");
    await client.query("SET LOCAL timezone = 'UTC'");
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'installation', 'workers', 'rate_limits')",
    );
    const all: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum FROM "${name}" t`,
      );
      all[name] = rows[0].sum;
    }
    await client.query("COMMIT");
    return all;
  });
}

test("from the embedded database to Postgres and back, every table keeps every row", async () => {
  const before = await contents(source.url);
  expect(before.file_parts).toMatch(/^6:/);
  expect(before.chunk_embeddings).toMatch(/^1:/);
  let path = backup;
  for (const kind of [...DATABASE_KINDS].reverse()) {
    const url = await fresh(kind);
    await restoreBackup(restoreOf(path, url));
    expect(await contents(url)).toEqual(before);
    const again = await takeBackup({ ...common, databaseUrl: url });
    path = join(directory, "backups", again.name);
  }
  expect((await listBackups(directory)).map(({ problem }) => problem)).not.toContain(expect.any(String));
});

test("a restored database refuses what the constraints of the original refused", async () => {
  const url = await fresh("embedded");
  const constraints = (at: string) =>
    withClient(at, async (client) => {
      const { rows } = await client.query(
        "SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1",
      );
      return rows.map(({ text }) => text);
    });
  const before = await constraints(url);
  await restoreBackup(restoreOf(backup, url));
  expect(await constraints(url)).toEqual(before);
  expect(before.length).toBeGreaterThan(50);
});

test("it replaces what was there, and says where it came from", async () => {
  const url = await fresh("embedded");
  await withClient(url, async (client) => {
    await client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Another')", [uuid()]);
    await client.query("CREATE SCHEMA dbos; CREATE TABLE dbos.workflow_status (id text)");
  });
  await restoreBackup(restoreOf(backup, url));
  await withClient(url, async (client) => {
    expect((await client.query("SELECT id FROM workspaces")).rows).toEqual([{ id: workspaceId }]);
    expect((await client.query("SELECT to_regclass('dbos.workflow_status') AS found")).rows[0].found).toBeNull();
    expect((await client.query("SELECT restored_from FROM installation")).rows).toEqual([
      { restored_from: "a backup" },
    ]);
  });
});

describe("a file that cannot be restored", () => {
  const file = join(directory, "bad.troupe-backup.gz");
  const lines = () => gunzipSync(readFileSync(backup)).toString("latin1").split("\n");
  const write = (changed: string[]) => writeFileSync(file, gzipSync(Buffer.from(changed.join("\n"), "latin1")));
  let url: string;
  let before: Record<string, string>;

  beforeAll(async () => {
    url = await fresh("embedded");
    await withClient(url, (client) => client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Mine')", [uuid()]));
    before = await contents(url);
  });

  const cases: [string, () => void, RegExp][] = [
    ["is cut off", () => writeFileSync(file, readFileSync(backup).subarray(0, 20_000)), /damaged or was cut off/],
    ["lacks its end", () => write(lines().slice(0, -2).concat("")), /its end is missing/],
    ["has a changed row", () => write(lines().map((line) => line.replace("two\\nlines", "two\\nlInes"))), /checksum/],
    ["lacks a row", () => write(lines().filter((line) => !line.includes("{a,b}"))), /checksum|rows/],
    ["is something else", () => writeFileSync(file, "not a backup"), /not a Troupe backup/],
    ["is empty", () => writeFileSync(file, gzipSync("")), /empty/],
    [
      "is of a newer Troupe",
      () => write(lines().map((line, i) => (i ? line : line.replace("_first_week", "_next_year")))),
      /newer Troupe.*_next_year/,
    ],
    [
      "has a newer form",
      () => write(lines().map((line, i) => (i ? line : line.replace(":1,", ":2,")))),
      /newer Troupe/,
    ],
    [
      "is of a different build",
      () => write(lines().map((line, i) => (i ? line : line.replace(/"checksum":"...../, '"checksum":"00000')))),
      /different build/,
    ],
  ];
  test.each(cases)("because it %s leaves the database as it was", async (_what, make, sentence) => {
    make();
    await expect(restoreBackup(restoreOf(file, url))).rejects.toThrow(sentence);
    expect(await contents(url)).toEqual(before);
  });

  test("is told by checking it", async () => {
    write(lines().map((line) => line.replace("two\\nlines", "two\\nlInes")));
    await expect(checkBackup(file)).rejects.toThrow(/checksum/);
    expect(await checkBackup(backup)).toMatchObject({
      keyFingerprint: keyFingerprint(common.secretsKey),
      problem: null,
    });
  });
});

test.each(DATABASE_KINDS)(
  "a backup taken while rows are written holds both halves of each write (%s)",
  async (kind) => {
    const url = await fresh(kind);
    await withClient(url, async (client) => {
      await client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Busy')", [workspaceId]);
    });
    let writing = true;
    const writer = withClient(url, async (client) => {
      for (let n = 0; writing; n++) {
        await client.query("BEGIN");
        await client.query("INSERT INTO agents (id, workspace_id, name, draft) VALUES ($1, $2, $3, '{}')", [
          uuid(),
          workspaceId,
          `agent ${n}`,
        ]);
        await client.query("INSERT INTO teams (id, workspace_id, name) VALUES ($1, $2, $3)", [
          uuid(),
          workspaceId,
          `team ${n}`,
        ]);
        await client.query("COMMIT");
      }
    });
    const taken: string[] = [];
    try {
      for (let i = 0; i < 5; i++) taken.push((await takeBackup({ ...common, databaseUrl: url })).name);
    } finally {
      writing = false;
      await writer;
    }
    const counts = taken.map((name) => {
      const [first = ""] = gunzipSync(readFileSync(join(directory, "backups", name)))
        .toString()
        .split("\n", 1);
      const { tables } = JSON.parse(first) as { tables: { name: string; rows: number }[] };
      const of = (table: string) => tables.find((entry) => entry.name === table)?.rows ?? -1;
      return { agents: of("agents"), teams: of("teams") };
    });
    for (const { agents, teams } of counts) expect(agents).toBe(teams);
    expect(counts.at(-1)?.agents).toBeGreaterThan(0);
  },
);
