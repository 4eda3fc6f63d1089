import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Names the state a migrated database is in: templates are kept under it and made again when it changes. */
export function migrationsHash(): string {
  const folder = join(root, "prisma/migrations");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.endsWith(".sql")) hash.update(name).update(readFileSync(join(folder, name)));
  }
  const pglite = JSON.parse(readFileSync(join(root, "node_modules/@electric-sql/pglite/package.json"), "utf8"));
  return hash.update(String(pglite.version)).digest("hex").slice(0, 12);
}

/** Runs `prisma migrate deploy`, so that `_prisma_migrations` is what a real start finds. */
export async function migrate(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, "node_modules/prisma/build/index.js"), "migrate", "deploy"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
  });
}
