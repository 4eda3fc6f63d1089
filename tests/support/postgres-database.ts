import { randomBytes } from "node:crypto";
import pg from "pg";
import { migrate, migrationsHash } from "./migrated";

const runName = () => `troupe_test_${process.env.TROUPE_TEST_RUN ?? process.pid}`;

/**
 * A clone of the migrated template on the server TEST_DATABASE_URL names; needs the right to create databases. In a
 * tablespace of its own in `directory`, a path of the server, if one is given.
 */
export async function freshPostgresDatabase({ directory }: { directory?: string } = {}): Promise<{
  url: string;
  stop(): Promise<void>;
}> {
  const template = await postgresTemplate();
  const name = `${runName()}_${randomBytes(4).toString("hex")}`;
  await asAdmin(async (admin) => {
    if (directory) await admin.query(`CREATE TABLESPACE ${name} LOCATION '${directory}'`);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} ${directory ? `TABLESPACE ${name}` : ""}`);
  });
  return {
    url: databaseUrl(name),
    stop: () =>
      asAdmin(async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await admin.query(`DROP TABLESPACE IF EXISTS ${name}`);
      }),
  };
}

/** Drops what tests of this run did not stop. */
export async function dropLeftovers(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) return;
  await asAdmin(async (admin) => {
    const left = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
      [`${runName()}_`],
    );
    for (const { datname } of left.rows) {
      await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
      await admin.query(`DROP TABLESPACE IF EXISTS ${datname}`);
    }
  });
}

async function postgresTemplate(): Promise<string> {
  const name = `troupe_template_${migrationsHash()}`;
  await asAdmin(async (admin) => {
    // Two test runs may start at once; the lock ends with the connection.
    await admin.query("SELECT pg_advisory_lock(hashtext('troupe_template'))");
    const found = await admin.query("SELECT FROM pg_database WHERE datname = $1 AND datistemplate", [name]);
    if (found.rowCount) return;
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
    await migrate(databaseUrl(name));
    // No connections: a database somebody is connected to cannot be cloned.
    await admin.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
  return name;
}

function databaseUrl(name: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
