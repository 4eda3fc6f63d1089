import type pg from "pg";
import { escapeIdentifier } from "pg";

export type Table = {
  name: string;
  /** Without generated ones. `type` as written in a cast. */
  columns: { name: string; type: string }[];
  /** Columns of the primary key: the order rows are read in. */
  key: string[];
};

/** About this process or machine, not about anybody's work; or Prisma's own, which `manifest.migrations` stands for. */
const NOT_KEPT = ["_prisma_migrations", "workers", "rate_limits", "installation"];

/** The tables of a backup, by name. Whatever a migration adds is in it by itself. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum) AS columns,
       coalesce((SELECT json_agg(k.attname ORDER BY array_position(i.indkey::int2[], k.attnum))
         FROM pg_index i JOIN pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = ANY (i.indkey::int2[])
         WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS key
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relname = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.oid, c.relname ORDER BY c.relname`,
    [NOT_KEPT],
  );
  return rows;
}

/** What makes a value's text the same on every server. Only within the transaction. */
export async function fixTextForms(client: pg.ClientBase): Promise<void> {
  await client.query(
    "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1",
  );
}

/**
 * Number of rows and a checksum that does not depend on their order: the sum of 64 bits of each row's MD5.
 * It tells whether a copy is complete, not whether somebody forged it. Call `fixTextForms` before.
 */
export async function tableChecksum(
  client: pg.ClientBase,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<{ rows: number; checksum: string }> {
  const row = columns.map(escapeIdentifier).join(", ");
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `SELECT count(*)::text AS rows,
       coalesce(sum(('x' || substr(md5(ROW(${row})::text), 1, 16))::bit(64)::bigint::numeric), 0)::text AS checksum
     FROM ${escapeIdentifier(name)}`,
  );
  return { rows: Number(rows[0]?.rows), checksum: rows[0]?.checksum ?? "0" };
}
