import { parseArgs } from "node:util";
import { LauncherError } from "@/server/launcher/launcher-error";

export type ScaleOptions = {
  /** Steps of the one large run; 0: none. */
  steps: number;
  agents: number;
  documents: number;
  runs: number;
  teams: number;
  conversations: number;
};

export const SCALE_DEFAULTS: ScaleOptions = {
  steps: 10_000,
  agents: 50,
  documents: 1_000,
  runs: 500,
  teams: 20,
  conversations: 100,
};

/** Fewer agents make no team with a tree. */
const FEWEST_AGENTS = 6;

/** Reads `--steps 10000 --agents 50 …`. Throws LauncherError for what it does not know. */
export function readScaleOptions(args: readonly string[]): ScaleOptions {
  const names = Object.keys(SCALE_DEFAULTS) as (keyof ScaleOptions)[];
  const usage = `Use ${names.map((name) => `--${name} <number>`).join(", ")}.`;
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  let values: Record<string, unknown>;
  try {
    values = parseArgs({ args: [...args], options, strict: true }).values;
  } catch {
    throw new LauncherError(`The scale seed does not know one of ${args.join(" ")}. ${usage}`);
  }
  const read = { ...SCALE_DEFAULTS };
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || !/^\d{1,6}$/.test(value)) {
      throw new LauncherError(`--${name} is no number. ${usage}`);
    }
    read[name] = Number(value);
  }
  if (read.agents < FEWEST_AGENTS) throw new LauncherError(`--agents must be at least ${FEWEST_AGENTS}.`);
  if (read.teams < 1 && read.steps + read.runs + read.conversations > 0) {
    throw new LauncherError("Runs need somebody who carries them out: --teams must be at least 1.");
  }
  return read;
}
