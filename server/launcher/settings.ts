import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LauncherError, reasonOf } from "./launcher-error";

/** The repository: every path of the launcher hangs on it, so it may be started from anywhere. */
export const root = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));

export interface Settings {
  dev: boolean;
  /** Absolute; keeps the embedded database and the generated secret. */
  dataDirectory: string;
  host: string;
  port: number;
  /** Undefined: use the embedded database. */
  databaseUrl: string | undefined;
  authSecret: string | undefined;
  setupToken: string | undefined;
}

/** Reads `.env` where there is one; what the shell sets wins. Throws LauncherError. */
export function loadEnvironmentFile(): void {
  const file = join(root, ".env");
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new LauncherError(`Cannot read ${file}: ${reasonOf(error)}. Correct or remove it.`);
  }
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];

/** The launcher's part of the environment; the rest is read by server/env.ts in the children. */
export function readSettings({ dev }: { dev: boolean }): Settings {
  const value = (name: string) => process.env[name]?.trim() || undefined;
  const port = value("PORT") ?? "3000";
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new LauncherError(`PORT is "${port}". Set it to a number from 1 to 65535.`);
  }
  const authSecret = value("AUTH_SECRET");
  if (authSecret && authSecret.length < 32) {
    throw new LauncherError(
      "AUTH_SECRET is too short. Use at least 32 random characters, or leave it unset to have one made.",
    );
  }
  // Else every worker would end at its start, one after the other. Not quoted: an address can hold a password.
  const modelUrl = value("MODEL_BASE_URL");
  if (modelUrl && !(/^https?:\/\//.test(modelUrl) && URL.canParse(modelUrl))) {
    throw new LauncherError("MODEL_BASE_URL is not a web address. Write it like https://api.openai.com/v1.");
  }
  // With one of the two the rehearsal model would answer, and nobody would know why (promise 9).
  if ((modelUrl === undefined) !== (value("MODEL_NAME") === undefined)) {
    const [set, missing] = modelUrl ? ["MODEL_BASE_URL", "MODEL_NAME"] : ["MODEL_NAME", "MODEL_BASE_URL"];
    throw new LauncherError(
      `${set} is set, but ${missing} is not. Set both for a model of your own, or neither to rehearse.`,
    );
  }
  const level = value("LOG_LEVEL");
  if (level && !LOG_LEVELS.includes(level)) {
    throw new LauncherError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}.`);
  }
  return {
    dev,
    dataDirectory: resolve(root, value("DATA_DIR") ?? ".data"),
    host: value("HOST") ?? "127.0.0.1",
    port: Number(port),
    databaseUrl: value("DATABASE_URL"),
    authSecret,
    setupToken: value("SETUP_TOKEN"),
  };
}

export const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);

/** The address to open or to ask: a server that listens everywhere is reached on the loopback. */
export function webUrl({ host, port }: Pick<Settings, "host" | "port">): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere || host === "127.0.0.1" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
