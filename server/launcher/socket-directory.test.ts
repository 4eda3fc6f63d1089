import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makePrivateDirectory } from "./socket-directory";

const folder = mkdtempSync(join(tmpdir(), "troupe-private-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a private directory and the parents it lacks can be entered by their owner only", () => {
  makePrivateDirectory(join(folder, "a", "b"));
  for (const made of ["a", "a/b"]) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test("a file in the place of the directory is refused and left as it is", () => {
  const file = join(folder, "file");
  writeFileSync(file, "kept", { mode: 0o640 });
  const { mode } = statSync(file);
  expect(() => makePrivateDirectory(file)).toThrow("EEXIST");
  expect(statSync(file).mode).toBe(mode);
});

test("a place where nothing can be made is refused at once", () => {
  expect(() => makePrivateDirectory("/proc/troupe")).toThrow();
});
