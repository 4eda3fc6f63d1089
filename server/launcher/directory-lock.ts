import { closeSync, openSync, rmSync, statSync } from "node:fs";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, LauncherError } from "./launcher-error";
import { lockSocketPath } from "./socket-directory";

export interface DirectoryLock {
  /** Connecting to this socket works exactly as long as the holder lives. */
  path: string;
  release(): Promise<void>;
}

interface Options {
  directory: string;
  /** Wait this long for another holder to end, in milliseconds. */
  waitMs?: number;
}

const GUARD_STALE_MS = 5_000;

/**
 * Makes this process the only user of a directory until it releases the lock or dies.
 *
 * The lock is a listening socket, not a file with a process id: the kernel closes it however the holder dies, ids are
 * reused, and two containers on one volume do not see each other's. Throws LauncherError when somebody else holds it.
 */
export async function lockDirectory({ directory, waitMs = 0 }: Options): Promise<DirectoryLock> {
  const path = lockSocketPath(directory);
  const deadline = Date.now() + waitMs;
  for (;;) {
    const server = (await listen(path)) ?? (await takeOver(path));
    if (server) return { path, release: () => close(server) };
    if (Date.now() >= deadline) {
      const holder = await holderOf(path);
      // The holder may have ended since; look once more instead of refusing for nothing.
      if (holder === null) continue;
      throw new LauncherError(
        `${directory} is in use by another Troupe process${holder}. Stop that one first, or set DATA_DIR to another directory.`,
      );
    }
    await delay(50);
  }
}

function listen(path: string): Promise<net.Server | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      // Stays open: whoever wants to end with this process watches for the close.
      socket.write(`${process.pid}\n`);
      socket.unref();
    });
    server.once("error", (error) => (codeOf(error) === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

function close(server: net.Server): Promise<void> {
  // Node removes the socket file; open watchers must not delay the end, so do not wait for them.
  return new Promise((resolve) => {
    server.close();
    setImmediate(resolve);
  });
}

/** Replaces a dead holder's socket. The guard file keeps two newcomers from removing each other's. */
async function takeOver(path: string): Promise<net.Server | null> {
  const guard = `${path}.guard`;
  try {
    closeSync(openSync(guard, "wx", 0o600));
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > GUARD_STALE_MS) rmSync(guard, { force: true });
    return null;
  }
  try {
    if ((await holderOf(path)) !== null) return null;
    rmSync(path, { force: true });
    return await listen(path);
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Null when nobody lives behind the socket; otherwise words for the message. */
function holderOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    const answer = (value: string | null) => {
      socket.destroy();
      resolve(value);
    };
    // A busy holder accepts (the kernel does) but cannot answer yet.
    socket.setTimeout(1_000, () => answer(""));
    socket.once("data", (data) => answer(` (process ${data.toString().trim()})`));
    socket.once("error", () => answer(null));
    socket.once("end", () => answer(null));
  });
}
