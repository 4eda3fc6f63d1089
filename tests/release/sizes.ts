import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isWebBuilt } from "@/server/launcher/product-build";
import { root } from "@/server/launcher/settings";

/**
 * npm run sizes: what script each page loads first, compressed, by the manifests of the build. What every page shares
 * because of Next and React is told apart; the rest is ours to answer for.
 */
const MOST_KB = 350;
/** Pages that may be larger, each with its reason. */
const MAY_BE_LARGER: Record<string, string> = {
  "/runs/[runId]":
    "The tree, the details of every kind of row and the answer are one page; its dialogs and filters load when asked for.",
};

type BuildManifest = { rootMainFiles: string[] };
type ClientManifest = { entryJSFiles?: Record<string, string[]> };

const built = join(root, ".next");
const sizes = new Map<string, number>();
function kilobytes(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of new Set(files)) {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(built, file))).length);
    bytes += sizes.get(file) ?? 0;
  }
  return bytes / 1000;
}

/** The manifest is a script that assigns JSON to a property of a global. */
function readClientManifest(file: string): ClientManifest {
  const text = readFileSync(file, "utf8");
  return JSON.parse(text.slice(text.indexOf("{", text.lastIndexOf('"] =') + 1)).replace(/;\s*$/, "")) as ClientManifest;
}

if (!isWebBuilt()) console.error("These are the sizes of an older build: run npm run build first for today's.");
const { rootMainFiles } = JSON.parse(readFileSync(join(built, "build-manifest.json"), "utf8")) as BuildManifest;
const framework = kilobytes(rootMainFiles);
const SUFFIX = "page_client-reference-manifest.js";
const pages = readdirSync(join(built, "server/app"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`/${SUFFIX}`))
  .map((file) => {
    const { entryJSFiles = {} } = readClientManifest(join(built, "server/app", file));
    const route = `/${file.slice(0, -SUFFIX.length - 1)}`.replace(/\/\([^/]+\)/g, "") || "/";
    const own = Object.values(entryJSFiles)
      .flat()
      .filter((script) => !rootMainFiles.includes(script));
    return { route, kB: kilobytes(own) };
  })
  .sort((a, b) => b.kB - a.kB);

console.log(`Framework, on every page: ${framework.toFixed(0)} kB. Beyond it, gzip:`);
for (const { route, kB } of pages) console.log(`${kB.toFixed(0).padStart(5)} kB  ${route}`);
const tooLarge = pages.filter(({ route, kB }) => kB > MOST_KB && !(route in MAY_BE_LARGER));
for (const { route } of tooLarge)
  console.error(`${route} is larger than ${MOST_KB} kB, and no reason is written down.`);
if (pages.length === 0) console.error("No page was found in the build.");
process.exit(tooLarge.length > 0 || pages.length === 0 ? 1 : 0);
