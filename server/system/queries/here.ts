import { pool } from "@/server/db";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";
import type { Examined } from "./examined";

/** The installation this web server belongs to. */
export function thisInstallation(_scope: Scope): Examined {
  const { DATA_DIR, SECRETS_KEY } = env();
  // Next runs the server in the product's folder.
  return {
    database: { pool: pool() },
    isRunning: true,
    dataDirectory: DATA_DIR,
    secretsKey: SECRETS_KEY,
    root: process.cwd(),
  };
}

/** Where backups are kept. Throws NOT_READY in a server that no launcher started. */
export function dataDirectory(): string {
  const { DATA_DIR } = env();
  if (DATA_DIR) return DATA_DIR;
  throw new AppError("NOT_READY", "This server was not started by `npm start`, so it does not know where backups are.");
}
