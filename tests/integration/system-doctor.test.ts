import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { ACTIVE_STATUSES, RUN_STATUSES } from "@/server/engine/state";
import type { Check, CheckId } from "@/server/system/schema";
import { examineInstallation } from "@/server/system/service/examine-installation";
import { callerOf } from "../support/caller";
import { DATABASE_KINDS } from "../support/databases";
import { aMember, aRun, aTeam, aWorkspace } from "../support/factories";
import { root } from "../support/migrated";
import { useDatabase } from "../support/use-database";

const KEY = "a secrets key that must never be printed anywhere";
let dataDirectory: string;
beforeAll(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "troupe-doctor-"));
  writeFileSync(join(dataDirectory, "secrets-key"), `${KEY}\n`, { mode: 0o600 });
});
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

type Database = Parameters<typeof examineInstallation>[0]["database"];

async function examine(database: Database = { pool: pool() }, isRunning: boolean | null = true) {
  const report = await examineInstallation({ database, isRunning, dataDirectory, secretsKey: KEY, root });
  const of = (id: CheckId): Check => {
    const found = report.checks.find((check) => check.id === id);
    if (!found) throw new Error(`no check ${id}`);
    return found;
  };
  return { report, of };
}

describe.each(DATABASE_KINDS)("the doctor (%s)", (kind) => {
  useDatabase(kind);

  test("finds nothing wrong with a new database but that no worker is there", async () => {
    const { report, of } = await examine();
    // The machine that tests may be full or slow; that is not what is asked here.
    const ours = report.checks.filter(({ id }) => id !== "disk" && id !== "database");
    expect(ours.filter(({ state }) => state !== "ok").map(({ id }) => id)).toEqual(["workers"]);
    expect(report.checks[0]?.state).toBe("problem");
    expect(report.state).toBe("problem");
    expect(of("database").facts[0]).toEqual({
      label: "Kind",
      value: kind === "embedded" ? "embedded" : "Postgres server",
    });
    expect(of("disk").facts.filter(({ label }) => label.startsWith("Table "))).toHaveLength(5);
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  test("asks a stopped installation for no worker", async () => {
    expect((await examine({ pool: pool() }, false)).of("workers").state).toBe("unknown");
  });

  test("tells workers that beat from those that fell silent, by the database's clock", async () => {
    await pool().query(
      `INSERT INTO workers (id, host, pid, beat_at) VALUES ('here-1', 'here', 1, clock_timestamp()),
         ('gone-1', 'gone', 2, clock_timestamp() - interval '1 minute')`,
    );
    const { of } = await examine();
    expect(of("workers")).toMatchObject({ state: "ok", says: "1 worker at work." });
    expect(of("workers").facts.find(({ label }) => label === "gone-1")?.value).toMatch(/last heard of 1 min ago$/);
    const fallsSilent = "UPDATE workers SET beat_at = clock_timestamp() - interval '10 seconds' WHERE id = 'here-1'";
    await pool().query(fallsSilent);
    expect((await examine()).of("workers")).toMatchObject({ state: "warning", says: expect.stringMatching(/busy/) });
    await pool().query("DELETE FROM workers WHERE id = 'here-1'");
    expect((await examine()).of("workers").state).toBe("problem");
  });

  test("warns of work that waits, of runs without a backup, and of connections whose last test failed", async () => {
    const workspaceId = await aWorkspace(db());
    const team = await aTeam(db(), workspaceId);
    const { id: runId } = await aRun(db(), workspaceId, team);
    const minutesAgo = new Date(Date.now() - 5 * 60_000);
    await db().agentRun.create({
      data: {
        ...{ id: uuid(), workspaceId, runId, handle: "agent_1", name: "Lead", depth: 0, task: "Wait." },
        ...{ agentVersionId: team.root.agentVersionId, status: "queued", createdAt: minutesAgo },
      },
    });
    await db().provider.create({
      data: {
        ...{ id: uuid(), workspaceId, name: "harbour", baseUrl: "https://models.example.test/v1" },
        ...{ apiKeySealed: "v1.sealed", checkedAt: minutesAgo, checkError: "The endpoint refused the key (401)." },
      },
    });
    const { report, of } = await examine();
    expect(of("queue")).toMatchObject({ state: "warning", says: "Work has waited for 5 min." });
    expect(of("backup")).toMatchObject({ state: "warning", says: "There is no backup." });
    expect(of("providers").state).toBe("warning");
    expect(of("providers").facts).toEqual([
      { label: "harbour", value: "The endpoint refused the key (401). (tested 5 min ago)" },
    ]);
    expect(JSON.stringify(report)).not.toContain("sealed");
  });

  test("counts the runs that are active as Home and the list of runs do, whatever state they are in", async () => {
    const scope = await aMember(db(), await aWorkspace(db()));
    const team = await aTeam(db(), scope.workspaceId);
    const before = Number.parseInt((await examine()).of("runs").says, 10) || 0;
    for (const status of RUN_STATUSES) {
      const { id } = await aRun(db(), scope.workspaceId, team);
      await pool().query("UPDATE runs SET status = $2 WHERE id = $1", [id, status]);
    }
    const { id: onItsWayOut } = await aRun(db(), scope.workspaceId, team);
    await pool().query("UPDATE runs SET status = 'interrupted', removing_at = now() WHERE id = $1", [onItsWayOut]);

    const { runs } = callerOf(scope);
    const listed = await runs.list({ status: ["active"] });
    expect(listed.items.map(({ status }) => status).sort()).toEqual([...ACTIVE_STATUSES].sort());
    expect((await runs.summary()).active).toBe(6);
    const found = (await examine()).of("runs");
    expect(found.says).toBe(`${before + 6} runs are active: not ended yet.`);
    expect(found.facts.map(({ label }) => label)).toEqual(expect.arrayContaining(ACTIVE_STATUSES));
    expect(found.facts.reduce((sum, { value }) => sum + Number(value), 0)).toBe(before + 6);
  });

  test("says when the schema is behind, and when it is of a newer Troupe", async () => {
    const { rows } = await pool().query<{ name: string }>(
      "SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL",
    );
    const name = rows[0]?.name ?? "";
    const rename = (from: string, to: string) =>
      pool().query("UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1", [from, to]);
    await rename(name, "29991231000000_from_the_future");
    expect((await examine()).of("versions")).toMatchObject({ state: "problem", says: expect.stringMatching(/newer/) });
    await pool().query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '2999%'");
    const behind = (await examine()).of("versions");
    expect(behind).toMatchObject({ state: "problem", says: "The database is not at this version's schema." });
    expect(behind.facts.find(({ label }) => label === "Missing migrations")?.value).toBe(name);
  });

  test("warns of calls that failed for good within a day and nobody looked at, and of breakers that are open", async () => {
    const workspaceId = await aWorkspace(db());
    const team = await aTeam(db(), workspaceId);
    const { id: runId } = await aRun(db(), workspaceId, team);
    const root = await db().agentRun.create({
      data: {
        ...{ id: uuid(), workspaceId, runId, handle: "agent_1", name: "Lead", depth: 0, task: "Fetch." },
        ...{ agentVersionId: team.root.agentVersionId, status: "completed" },
      },
    });
    const letter = (hours: number, status: string) =>
      pool().query(
        `INSERT INTO dead_letters (id, workspace_id, run_id, agent_run_id, position, kind, operation, code, stable_code, category, message,
           repeats, status, at)
         VALUES ($1, $2, $3, $4, 1, 'tool', 'fetch', 'timeout', 'TROUPE-TIMEOUT', 'NETWORK', 'late', 'reads', $5, now() - make_interval(hours => $6))`,
        [uuid(), workspaceId, runId, root.id, status, hours],
      );
    await letter(30, "open");
    await letter(1, "acknowledged");
    expect((await examine()).of("failed-calls")).toMatchObject({
      state: "ok",
      says: "No call failed for good in the last day.",
    });
    await letter(1, "open");
    expect((await examine()).of("failed-calls")).toMatchObject({
      state: "warning",
      says: "1 call failed for good in the last day.",
    });
    const gate = (subject: string, breaker: object) =>
      pool().query("INSERT INTO gates (workspace_id, subject, version, breaker) VALUES ($1, $2, 0, $3)", [
        workspaceId,
        subject,
        JSON.stringify(breaker),
      ]);
    await gate("tool:over", { is: "open", round: 1, until: Date.now() - 60_000 });
    await gate("tool:closed", { is: "closed", round: 0, slices: [] });
    await gate("tool:fetch", { is: "open", round: 1, until: Date.now() + 60_000 });
    expect((await examine()).of("failed-calls")).toMatchObject({
      state: "warning",
      says: "1 call failed for good in the last day; tool:fetch failed too often and is left alone.",
    });
  });

  test("says of a broken database what is broken, and looks at the rest all the same", async () => {
    await pool().query("ALTER TABLE workers RENAME TO workers_elsewhere");
    const { of } = await examine();
    expect(of("workers")).toMatchObject({
      state: "problem",
      says: "The database has not the tables of this version.",
    });
    expect(of("database").state).not.toBe("problem");
    expect(of("data-directory").state).toBe("ok");
  });
});

test("a database that does not answer is one problem, and what depends on it is unknown", async () => {
  const secret = "hunter2hunter2";
  const away = new pg.Pool({
    connectionString: `postgresql://u:${secret}@127.0.0.1:1/x`,
    connectionTimeoutMillis: 500,
  });
  const { report, of } = await examine({ pool: away });
  expect(of("database")).toMatchObject({ state: "problem", says: "The database cannot be asked (ECONNREFUSED)." });
  expect(of("versions").state).toBe("unknown");
  expect(of("disk").state).not.toBe("unknown");
  expect(JSON.stringify(report)).not.toContain(secret);
  await away.end();
});

test("a data directory that others may enter, or without its key, is told with the command that helps", async () => {
  const of = async () => (await examine({ problem: "None.", advice: null })).of("data-directory");
  chmodSync(dataDirectory, 0o755);
  expect(await of()).toMatchObject({ state: "warning", advice: `Run chmod 700 ${dataDirectory}.` });
  chmodSync(dataDirectory, 0o700);
  chmodSync(join(dataDirectory, "secrets-key"), 0o644);
  expect(await of()).toMatchObject({ state: "warning", says: "Others on this machine may read the secrets key." });
  chmodSync(join(dataDirectory, "secrets-key"), 0o600);
  expect((await of()).state).toBe("ok");
});
