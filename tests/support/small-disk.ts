import { execFile } from "node:child_process";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tellServer } from "./crash-database";
import type { DatabaseKind } from "./databases";
import { testDirectory } from "./embedded-database";

/** A disk that is soon full, to put a database on. */
export type SmallDisk = {
  /** As the database sees it. */
  directory: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
  remove(): Promise<void>;
};

const MEGABYTES: Record<DatabaseKind, number> = { embedded: 256, postgres: 96 };

/** Null where a disk cannot be mounted: that takes root, and for a real Postgres a server of our own. */
export async function aSmallDisk(kind: DatabaseKind): Promise<SmallDisk | null> {
  const mounted = await (kind === "embedded" ? mountHere() : mountAtServer()).catch(() => null);
  if (!mounted) return null;
  const { here, directory, remove } = mounted;
  const ballast = join(here, "ballast");
  return {
    directory,
    fill: async () => {
      const file = await open(ballast, "a");
      try {
        for (let bytes = 1 << 20; bytes >= 1; ) {
          const piece = Buffer.alloc(bytes);
          const { bytesWritten } = await file.write(piece).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== "ENOSPC") throw error;
            return { bytesWritten: 0 };
          });
          if (bytesWritten < bytes) bytes >>= 1;
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    remove,
  };
}

const run = promisify(execFile);

async function mountHere() {
  await mkdir(testDirectory(), { recursive: true });
  const directory = await mkdtemp(join(testDirectory(), "s"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES.embedded}m,mode=700`, "tmpfs", directory]);
  return { here: directory, directory, remove: async () => void (await run("umount", ["-l", directory])) };
}

async function mountAtServer() {
  const [here, directory] = (await tellServer(`disk ${MEGABYTES.postgres}`))?.split(" ") ?? [];
  if (!here || !directory) return null;
  return { here, directory, remove: async () => void (await tellServer("no-disk")) };
}
