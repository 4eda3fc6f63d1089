import { pool } from "@/server/db";

/** Every text of every table but these, as one. */
export async function everythingStored(except: readonly string[]): Promise<string> {
  const { rows: tables } = await pool().query<{ schema: string; name: string }>(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'dbos') AND table_type = 'BASE TABLE' AND table_name <> ALL($1)`,
    [except],
  );
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await pool().query<{ text: string | null }>(
      `SELECT string_agg(t::text, ' ') AS text FROM "${schema}"."${name}" t`,
    );
    texts.push(rows[0]?.text ?? "");
  }
  return texts.join("\n");
}
