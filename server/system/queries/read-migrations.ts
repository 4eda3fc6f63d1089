import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { MigrationState } from "../rules";

/** Migrations of this build and of the database. Those that failed or were rolled back do not count. */
export async function readMigrations(pool: pg.Pool, root: string): Promise<MigrationState> {
  const folder = join(root, "prisma/migrations");
  const known = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "migration.sql")))
    .sort();
  const { rows } = await pool.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return { applied: rows.map(({ name }) => name), known };
}
