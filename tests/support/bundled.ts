import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { root } from "./migrated";

/**
 * Programs that tests start again and again. Through tsx, as users start theirs, each start compiles and loads hundreds of
 * modules anew, which takes two to four times as long as the same program in one file.
 */
const PROGRAMS = [
  "server/launcher/back-up.ts",
  "server/launcher/doctor.ts",
  "server/launcher/embedded-main.ts",
  "server/launcher/move.ts",
  "server/launcher/restore.ts",
  "tests/faults/lane-main.ts",
  "tests/support/fault-web-main.ts",
  "tests/support/flooding-tool-server-main.ts",
  "tests/support/indexer-main.ts",
  "tests/support/launcher-stand-in.ts",
  "tests/support/odd-tool-server-main.ts",
  "tests/support/scripted-model-main.ts",
  "tests/support/test-worker-main.ts",
  "tests/support/tool-server-holder-main.ts",
  "tests/support/web-main.ts",
] as const;

export type Program = (typeof PROGRAMS)[number];

/** Below node_modules, so that packages are found. */
const bundles = () => join(root, "node_modules/.cache/troupe", `bundles-${process.env.TROUPE_TEST_RUN ?? process.pid}`);

/** The file to give to node in place of the program's source. All are made at the first wish of a test run. */
export async function bundled(program: Program): Promise<string> {
  if (!existsSync(bundles())) await makeBundles();
  return join(bundles(), program.replace(/\.ts$/, ".mjs"));
}

async function makeBundles(): Promise<void> {
  const { build } = await import("esbuild");
  const making = `${bundles()}-${randomBytes(4).toString("hex")}`;
  await mkdir(making, { recursive: true });
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [...PROGRAMS],
      outbase: root,
      outdir: making,
      bundle: true,
      splitting: true,
      format: "esm",
      outExtension: { ".js": ".mjs" },
      platform: "node",
      packages: "external",
      target: "node20",
      logLevel: "error",
      plugins: [ownUrls],
    });
    await rename(making, bundles());
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another process of this run may have been faster; its bundles are as good.
    if (!existsSync(bundles())) throw error;
  }
}

/** What stands beside a source is looked for there, wherever the bundle is. */
const ownUrls: Plugin = {
  name: "own-urls",
  setup: ({ initialOptions, onLoad }) => {
    initialOptions.define = { "import.meta.url": "ownUrl" };
    onLoad({ filter: /\.m?ts$|\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes("import.meta.url")) return undefined;
      const contents = `const ownUrl = ${JSON.stringify(pathToFileURL(path).href)}; ${source}`;
      return { contents, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
};

/** Removes what this test run made. */
export const removeBundles = () => rm(bundles(), { recursive: true, force: true });
