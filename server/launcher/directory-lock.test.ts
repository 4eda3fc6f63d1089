import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDirectory } from "./directory-lock";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "troupe-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Leaves the socket file of a process that died without releasing it. */
async function dieHolding(path: string): Promise<void> {
  const code = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  await once(spawn(process.execPath, ["-e", code]), "exit");
}

test("a directory has one holder; after its release the next one gets it", async () => {
  const first = await lockDirectory({ directory });
  await expect(lockDirectory({ directory })).rejects.toThrow(
    `${directory} is in use by another Troupe process (process ${process.pid}).`,
  );
  await first.release();
  await (await lockDirectory({ directory })).release();
});

test("whoever may wait gets the lock when the holder ends", async () => {
  const first = await lockDirectory({ directory });
  const second = lockDirectory({ directory, waitMs: 10_000 });
  await first.release();
  await (await second).release();
});

test("of many that find a dead holder's lock exactly one takes it over", async () => {
  await dieHolding(join(directory, "lock"));
  const tried = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory({ directory })));
  const held = tried.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(held).toHaveLength(1);
  await expect(lockDirectory({ directory })).rejects.toThrow("is in use");
  for (const lock of held) await lock.release();
});

test("a directory too deep for a socket's path is locked all the same", async () => {
  const deep = join(directory, "d".repeat(150));
  mkdirSync(deep);
  const lock = await lockDirectory({ directory: deep });
  await expect(lockDirectory({ directory: deep })).rejects.toThrow("is in use");
  await lock.release();
});
