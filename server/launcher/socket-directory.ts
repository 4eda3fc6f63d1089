import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LauncherError } from "./launcher-error";

/** macOS allows 103 bytes, Linux 107; one limit for all. */
const MAX_SOCKET_PATH_BYTES = 100;

export const fitsSocketPath = (path: string) =>
  process.platform !== "win32" && Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;

/** Creates a directory only its owner may enter: who can reach a socket in it may use the database. */
export function makePrivateDirectory(path: string): void {
  makeDirectory(path);
  chmodSync(path, 0o700);
}

/** Node's `recursive` never ends where the system answers ENOENT for a directory whose parent exists, as /proc does. */
function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else made it meanwhile.
    if (!isDirectory(path)) throw error;
  }
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Where a lock socket for `directory` is: inside it, or under the system's temporary directory when the path would be
 * too long. Throws LauncherError when another user has taken that temporary directory.
 */
export function lockSocketPath(directory: string): string {
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\troupe-${hash}`;
  const inside = join(directory, "lock");
  if (fitsSocketPath(inside)) return inside;
  const user = process.getuid?.() ?? 0;
  const outside = join(tmpdir(), `troupe-${user}`);
  mkdirSync(outside, { recursive: true, mode: 0o700 });
  if (lstatSync(outside).uid !== user || !lstatSync(outside).isDirectory()) {
    throw new LauncherError(`${outside} belongs to another user. Remove it, or set DATA_DIR to a shorter path.`);
  }
  return join(outside, hash);
}
