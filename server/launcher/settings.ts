import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback } from "./allowed-hosts.mjs";
import { LauncherError, reasonOf } from "./launcher-error";

export { isLoopback };

/** The repository: every path of the launcher hangs on it, so it may be started from anywhere. */
export const root = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));

export interface Settings {
  dev: boolean;
  /** Absolute; keeps the embedded database and the generated secrets. */
  dataDirectory: string;
  host: string;
  port: number;
  /** Undefined: use the embedded database. */
  databaseUrl: string | undefined;
  authSecret: string | undefined;
  secretsKey: string | undefined;
  setupToken: string | undefined;
  /** How many proxies of one's own are in front of the web server; 0: callers reach it directly. */
  proxies: number;
  /** Names the web server answers to besides this machine's own; empty: see allowedHosts(). */
  hosts: string[];
  /** Whether an empty database is filled with the demo team. */
  demo: boolean;
  /** Whether a database with work in it is backed up before it is migrated. */
  upgradeBackup: boolean;
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
  const secret = (name: string) => {
    const given = value(name);
    if (given === undefined || given.length >= 32) return given;
    throw new LauncherError(
      `${name} is too short. Use at least 32 random characters, or leave it unset to have one made.`,
    );
  };
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
  const demo = value("DEMO") ?? "on";
  if (demo !== "on" && demo !== "off") {
    throw new LauncherError("DEMO must be on or off. It says whether an empty database gets the demo team.");
  }
  const upgradeBackup = value("UPGRADE_BACKUP") ?? "on";
  if (upgradeBackup !== "on" && upgradeBackup !== "off") {
    throw new LauncherError(
      "UPGRADE_BACKUP must be on or off. It says whether the database is backed up before an upgrade.",
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
    authSecret: secret("AUTH_SECRET"),
    secretsKey: secret("SECRETS_KEY"),
    setupToken: value("SETUP_TOKEN"),
    demo: demo === "on",
    upgradeBackup: upgradeBackup === "on",
    proxies: readProxies(value("TRUST_PROXY") ?? "off"),
    hosts: readHosts(value("ALLOWED_HOSTS") ?? ""),
  };
}

const MOST_PROXIES = 9;

function readProxies(given: string): number {
  if (given === "off") return 0;
  if (/^\d$/.test(given)) return Number(given);
  throw new LauncherError(
    `TRUST_PROXY is "${given}". Set it to the number of your own proxies between callers and Troupe (1 to ${MOST_PROXIES}), or to off.`,
  );
}

function readHosts(given: string): string[] {
  const names = given
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const odd = names.find((name) => !/^[\w.:-]+$/.test(name) || !URL.canParse(`http://${bracketed(name)}`));
  if (odd === undefined)
    return names.map((name) => new URL(`http://${bracketed(name)}`).hostname.replace(/^\[|\]$/g, ""));
  throw new LauncherError(
    `ALLOWED_HOSTS holds "${odd}", which is not a host name. Write names without http:// and port, with commas between them, such as troupe.example.com.`,
  );
}

/** How an address is written inside a URL. */
const bracketed = (name: string) => ((name.match(/:/g)?.length ?? 0) > 1 ? `[${name}]` : name);

/**
 * The names to answer to: those that were set; else, where only this machine can connect and no proxy is expected, none
 * but its own (empty); else any (null), because nobody without a session or the setup token can do anything.
 */
export function allowedHosts({ host, proxies, hosts }: Pick<Settings, "host" | "proxies" | "hosts">): string[] | null {
  if (hosts.length > 0) return hosts;
  return isLoopback(host) && proxies === 0 ? [] : null;
}

/** The address to open or to ask: a server that listens everywhere is reached on the loopback. */
export function webUrl({ host, port }: Pick<Settings, "host" | "port">): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere || host === "127.0.0.1" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
