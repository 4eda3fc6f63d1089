import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { type DirectoryLock, lockDirectory } from "./directory-lock";
import { fitsSocketPath, makePrivateDirectory } from "./socket-directory";
import { serveClient } from "./wire-client";
import { WireExchange } from "./wire-exchange";
import { backend, eachMessage, query, startupPacket } from "./wire-messages";

export interface EmbeddedServerOptions {
  /** Holds the data, the lock and the socket. Without it everything is in memory and gone after stop(). */
  directory?: string;
  /** Wait this long for another process to let go of the directory, in milliseconds. */
  waitForLockMs?: number;
  /** A transaction idle this long while others wait is rolled back, in milliseconds. */
  idleInTransactionMs?: number;
  /** Use loopback TCP with a password even where a Unix socket would do. */
  forceTcp?: boolean;
  /** The WASM backend has died; every client has been cut off. */
  onFailure?: (error: unknown) => void;
}

export interface EmbeddedServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves one PGlite with pgvector over the Postgres wire protocol, on a Unix socket in a directory only the owner may
 * enter, or on loopback TCP with a random password where the socket's path would be too long.
 * Throws LauncherError when another process uses the directory.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const inMemory = options.directory === undefined;
  const directory = resolve(options.directory ?? mkdtempSync(join(tmpdir(), "troupe-memory-")));
  makePrivateDirectory(directory);
  const lock = await lockDirectory({ directory, waitMs: options.waitForLockMs });
  try {
    return await serve({ ...options, directory, inMemory, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type Resolved = EmbeddedServerOptions & { directory: string; inMemory: boolean; lock: DirectoryLock };

async function serve({ directory, inMemory, lock, forceTcp, ...options }: Resolved): Promise<EmbeddedServer> {
  const db = await PGlite.create({
    dataDir: inMemory ? undefined : join(directory, "pgdata"),
    extensions: { vector },
  });
  const execute = async (bytes: Uint8Array) => {
    const chunks: Buffer[] = [];
    await db.execProtocolRawStream(bytes, { onRawData: (chunk) => chunks.push(Buffer.from(chunk)) });
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  };

  // One startup packet for all: clients get a copy of its answer, so that a connect never disturbs a transaction.
  const parameters = { user: "postgres", database: "postgres", client_encoding: "UTF8" };
  const hello = [...eachMessage(await execute(startupPacket(parameters)))];
  const greeting = Buffer.concat(hello.filter(([type]) => type !== backend.keyData && type !== backend.readyForQuery));
  await execute(query("CREATE EXTENSION IF NOT EXISTS vector"));

  const sockets = new Set<net.Socket>();
  const exchange = new WireExchange({
    execute,
    idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
    onFailure: (error) => {
      for (const socket of sockets) socket.destroy();
      options.onFailure?.(error);
    },
  });

  const socketPath = join(directory, ".s.PGSQL.5432");
  const address = forceTcp || !fitsSocketPath(socketPath) ? tcpAddress(directory) : { path: socketPath };
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serveClient(socket, { exchange, greeting, password: "password" in address ? address.password : undefined });
  });
  // The lock is ours, so a socket file that is still there belongs to a dead process.
  if ("path" in address) rmSync(address.path, { force: true });
  const url =
    "path" in address
      ? await listenOnSocket(server, directory, address.path)
      : await listenOnTcp(server, directory, address);

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await exchange.close();
    await db.close();
    await lock.release();
    if (inMemory) rmSync(directory, { recursive: true, force: true });
  };
  return { url, stop: () => (stopped ??= stop()) };
}

async function listenOnSocket(server: net.Server, directory: string, path: string): Promise<string> {
  await listening(server, { path });
  return socketUrl(directory);
}

const socketUrl = (directory: string) =>
  `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`;

/** Where the server of this directory listens if it runs; null when it never did. */
export function embeddedUrl(directory: string): string | null {
  const path = resolve(directory);
  if (existsSync(join(path, ".s.PGSQL.5432"))) return socketUrl(path);
  return existsSync(tcpFile(path)) ? tcpUrl(tcpAddress(path)) : null;
}

/** Port and password survive a restart, so that clients holding the URL find the server again. */
interface TcpAddress {
  port: number;
  password: string;
}

const tcpFile = (directory: string) => join(directory, "tcp.json");

function tcpAddress(directory: string): TcpAddress {
  try {
    const kept = JSON.parse(readFileSync(tcpFile(directory), "utf8"));
    if (Number.isInteger(kept.port) && typeof kept.password === "string" && kept.password.length > 20) return kept;
  } catch {
    // First start, or an unreadable file: make a new one.
  }
  return { port: 0, password: randomBytes(24).toString("base64url") };
}

async function listenOnTcp(server: net.Server, directory: string, { port, password }: TcpAddress): Promise<string> {
  const host = "127.0.0.1";
  await listening(server, { host, port }).catch(() => listening(server, { host, port: 0 }));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the embedded database has no TCP address");
  writeFileSync(tcpFile(directory), JSON.stringify({ port: bound.port, password }), { mode: 0o600 });
  return tcpUrl({ port: bound.port, password });
}

const tcpUrl = ({ port, password }: TcpAddress) =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;

function listening(server: net.Server, options: net.ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
