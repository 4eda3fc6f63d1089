import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./settings";

/** What a file made from sources was made from: the same fingerprint needs no second making. */
export function fingerprintOf(paths: string[]): string {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths) {
    for (const file of filesUnder(path)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

export function isMadeFrom(stampFile: string, fingerprint: string): boolean {
  const file = join(root, stampFile);
  return existsSync(file) && readFileSync(file, "utf8") === fingerprint;
}

export function recordMadeFrom(stampFile: string, fingerprint: string): void {
  const file = join(root, stampFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fingerprint);
}
