import type pg from "pg";
import { escapeIdentifier } from "pg";

/** The durable engine's own schema; it is made again when a worker starts, and runs go on from our rows (ADR 003). */
const ENGINE_SCHEMA = "dbos";

/**
 * Removes everything of ours from a database, inside the caller's transaction: tables, functions and types of `public` and
 * the engine's schema. Extensions stay, and so does Prisma's table of migrations with its rows.
 */
export async function emptyDatabase(client: pg.ClientBase): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(ENGINE_SCHEMA)} CASCADE`);
  const ofNoExtension = (catalog: string) =>
    `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`;
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP TABLE IF EXISTS %s CASCADE', o.oid::regclass) AS drop FROM pg_class o
       WHERE o.relnamespace = 'public'::regnamespace AND o.relkind = 'r' AND o.relname <> '_prisma_migrations' AND ${ofNoExtension("pg_class")}
     UNION ALL
     SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', o.oid::regprocedure) FROM pg_proc o
       WHERE o.pronamespace = 'public'::regnamespace AND ${ofNoExtension("pg_proc")}
     UNION ALL
     SELECT format('DROP TYPE IF EXISTS %s CASCADE', o.oid::regtype) FROM pg_type o
       WHERE o.typnamespace = 'public'::regnamespace AND o.typtype IN ('e', 'd') AND ${ofNoExtension("pg_type")}`,
  );
  for (const { drop } of rows) await client.query(drop);
}
