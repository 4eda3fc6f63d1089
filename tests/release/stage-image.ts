import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { root } from "@/server/launcher/settings";
import { type CopyLine, isLeftOut, readDockerfile, type Stage } from "./dockerfile";

/**
 * Puts the files the image would hold into a folder, by the Dockerfile's own lines. The build stage is this checkout with
 * its build; every other stage is carried out, so packages are installed as the image installs them. Returns the last stage.
 */
export function stageImage(into: string): { stage: Stage; folder: string } {
  const stages = readDockerfile();
  const folders = new Map<string, string>();
  for (const stage of stages) {
    if (stage.name === "build") {
      folders.set(stage.name, root);
      continue;
    }
    const folder = join(into, stage.name);
    mkdirSync(folder, { recursive: true });
    folders.set(stage.name, folder);
    for (const step of stage.steps) {
      if ("copy" in step) copy(step.copy, { stage, folder, stages, folders });
      // The last stage's own commands make the data directory, which is elsewhere here.
      else if (stage !== stages.at(-1)) execFileSync("sh", ["-c", step.run], { cwd: folder, stdio: "inherit" });
    }
  }
  const stage = stages.at(-1);
  const folder = stage && folders.get(stage.name);
  if (!stage || !folder) throw new Error("The Dockerfile has no stage.");
  chmodSync(into, 0o755);
  return { stage, folder };
}

type Place = { stage: Stage; folder: string; stages: Stage[]; folders: Map<string, string> };

function copy({ from, sources, to }: CopyLine, { stage, folder, stages, folders }: Place): void {
  const source = stages.find(({ name }) => name === from);
  const base = from ? folders.get(from) : root;
  if (!base || (from && !source)) throw new Error(`COPY --from=${from} names no earlier stage.`);
  for (const path of sources) {
    const inside = source ? relative(source.workdir, path) : path;
    const target = join(folder, relative(stage.workdir, posix.resolve(stage.workdir, to)));
    const file = to.endsWith("/") ? join(target, posix.basename(path)) : target;
    mkdirSync(dirname(file), { recursive: true });
    // What an earlier stage made is used once: no second copy of half a gigabyte.
    if (source && base !== root) renameSync(join(base, inside), file);
    else {
      cpSync(join(base, inside), file, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (entry) => isInImage(relative(base, entry), { built: base === root && from !== null }),
      });
    }
  }
}

/** What the checkout has and the image has not. */
function isInImage(path: string, { built }: { built: boolean }): boolean {
  if (path === ".next/cache" || path === ".next/dev") return false;
  if (built && path.startsWith("prisma/generated")) return true;
  return !isLeftOut(path);
}
