import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf, isMadeFrom, recordMadeFrom } from "./fingerprint";
import { LauncherError } from "./launcher-error";
import type { Processes } from "./processes";
import { root } from "./settings";

const TOOLS = ["package.json", "package-lock.json"];
const CLIENT_SOURCES = ["prisma/schema", ...TOOLS];
const CLIENT_STAMP = "prisma/generated/.made-from";
const WEB_SOURCES = [
  "app",
  "components",
  "server",
  "prisma/schema",
  "public",
  "docs",
  "next.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  ...TOOLS,
];
const WEB_STAMP = ".next/made-from";

/** Generates the Prisma client unless it fits the schema. Throws LauncherError. */
export async function ensurePrismaClient(processes: Processes): Promise<void> {
  const fingerprint = fingerprintOf(CLIENT_SOURCES);
  if (isMadeFrom(CLIENT_STAMP, fingerprint)) return;
  const prisma = join(root, "node_modules/prisma/build/index.js");
  const { code, output } = await processes.run({ args: [prisma, "generate"] }, { captured: true });
  if (code !== 0) {
    console.error(output);
    throw new LauncherError("The database client could not be generated. Read the output above, then start again.");
  }
  recordMadeFrom(CLIENT_STAMP, fingerprint);
}

export const isWebBuilt = () => isMadeFrom(WEB_STAMP, fingerprintOf(WEB_SOURCES));

/** Builds the web part and records what it was built from. Throws LauncherError. */
export async function buildWeb(processes: Processes): Promise<void> {
  await ensurePrismaClient(processes);
  const fingerprint = fingerprintOf(WEB_SOURCES);
  removeStaleBuild();
  const next = join(root, "node_modules/next/dist/bin/next");
  const { code } = await processes.run({ args: [next, "build"], env: { NODE_ENV: "production" } });
  if (code !== 0) throw new LauncherError("The build failed. Read the output above, then try again.");
  recordMadeFrom(WEB_STAMP, fingerprint);
}

/** Types of deleted routes break the next type check. The compiler's cache is worth keeping, and `next dev` may be using its own. */
function removeStaleBuild(): void {
  const folder = join(root, ".next");
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return; // Never built.
  }
  const stale = names.filter((name) => name !== "cache" && name !== "dev");
  for (const name of [...stale, join("dev", "types")]) rmSync(join(folder, name), { recursive: true, force: true });
}
