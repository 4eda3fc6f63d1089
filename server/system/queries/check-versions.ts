import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { compareMigrations, isAtLeast } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";
import { readMigrations } from "./read-migrations";

const packageFile = z.object({ version: z.string(), engines: z.object({ node: z.string() }) });
const OLDEST_POSTGRES = [15, 0] as const;
const OLDEST_PGVECTOR = [0, 8] as const;

export async function checkVersions({ pool, root }: WithDatabase): Promise<Finding> {
  const product = packageFile.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const { rows } = await pool.query<{ postgres: string }>("SELECT current_setting('server_version') AS postgres");
  const postgres = rows[0]?.postgres ?? "unknown";
  const migrations = await readMigrations(pool, root);
  const { pending, newer } = compareMigrations(migrations);
  const facts = [
    fact("Troupe", product.version),
    fact("Node", process.versions.node),
    fact("Postgres", postgres),
    fact("Newest migration", migrations.applied.at(-1) ?? "none"),
    ...(pending.length > 0 ? [fact("Missing migrations", pending.join(", "))] : []),
    ...(newer.length > 0 ? [fact("Unknown migrations", newer.join(", "))] : []),
  ];
  const problem = (says: string, advice: string): Finding => ({ state: "problem", says, advice, facts });
  if (newer.length > 0) {
    return problem(
      "The database belongs to a newer Troupe than this one.",
      "Update Troupe, or use another database. An older version on it can damage what the newer one wrote.",
    );
  }
  if (pending.length > 0) {
    return problem(
      "The database is not at this version's schema.",
      "Start with `npm start`, which brings it up to date.",
    );
  }
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(product.engines.node) ?? [];
  if (!isAtLeast(process.versions.node, [Number(major), Number(minor)])) {
    return problem(
      `Node ${process.versions.node} is older than Troupe needs.`,
      `Install Node ${major}.${minor} or newer.`,
    );
  }
  if (!isAtLeast(postgres, OLDEST_POSTGRES)) {
    return problem(`Postgres ${postgres} is older than Troupe needs.`, "Upgrade the server to Postgres 15 or newer.");
  }
  return { state: "ok", says: `Troupe ${product.version}; its database has the schema of this version.`, facts };
}

export async function checkPgvector({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<{ installed: string | null; available: string | null }>(
    `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available`,
  );
  const { installed = null, available = null } = rows[0] ?? {};
  const facts = [fact("Installed", installed ?? "no"), ...(available ? [fact("On the server", available)] : [])];
  if (!installed) {
    const advice = available
      ? "Run CREATE EXTENSION vector in this database as a superuser."
      : "Install pgvector 0.8 or newer on the database server.";
    return { state: "problem", says: "pgvector is not installed, so nothing can be searched.", advice, facts };
  }
  if (!isAtLeast(installed, OLDEST_PGVECTOR)) {
    const advice = "Upgrade pgvector on the server, then run ALTER EXTENSION vector UPDATE in this database.";
    return { state: "problem", says: `pgvector ${installed} is older than 0.8.`, advice, facts };
  }
  return { state: "ok", says: `Version ${installed} is installed.`, facts };
}
