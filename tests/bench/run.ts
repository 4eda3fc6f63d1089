import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import setup, { DATABASE_KINDS, freshDatabase } from "@/tests/support/databases";
import { freePort } from "@/tests/support/free-port";
import { Checked } from "./limits";

/**
 * npm run bench [-- --short] [--rounds N] [--only s1,s2,s3,stream,live,loop,growth,log] [--json] [--check]: what a turn costs in (a) a bare loop with one
 * insert a step, (b) the same loop on DBOS, (c) our engine, with the same scripted model; streaming off. Beside it, of our engine alone: how soon
 * streamed text reaches a reader, and an event a thousand of them, how late the event loop is while tool servers misbehave, whether turns grow dearer, and what long results write.
 * With --check it ends with an error where a figure misses its limit (limits.ts).
 * Cases of a round run one after the other, each in a process of its own; ratios are taken inside a round, then the median.
 */
const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    rounds: { type: "string" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});
const checked = new Checked(values.check);
const rounds = Number(values.rounds ?? (values.short ? 1 : 5));
/** s1: an agent that calls a tool ten times · s2: a supervisor with eight agents · s3: s1, 500 runs at once, with a model that takes its time. */
type Scenario = { prompt: string; turns: number; runs: number; short: number; atOnce: number; modelMs: number };
const SCENARIOS: Record<string, Scenario> = {
  s1: { prompt: "[[tools=10]] do the job", turns: 11, runs: 60, short: 30, atOnce: 1, modelMs: 0 },
  s2: { prompt: "[[delegate=8;tools=5]] do the job", turns: 50, runs: 20, short: 8, atOnce: 1, modelMs: 0 },
  s3: { prompt: "[[tools=10]] do the job", turns: 11, runs: 500, short: 0, atOnce: 500, modelMs: 20 },
};
/** Of the loop's case: what a tool server does meanwhile, and a model that takes its time, so that the runs alone are no full load. */
const DISTURBANCES = ["quiet", "compute", "flood", "json", "large"];
const LOOP_MODEL_MS = 100;
/** Of the case that holds late turns against early ones. */
const GROWING_RUNS = 20;
/** Of the log's case: how long results of tools are while s1 and s2 write. */
const LOGGED_RESULT_BYTES = 500;
/** Of the stream's case: time for readers to be there before the first token. */
const STREAM_MODEL_MS = 500;
const STREAMS = 20;
/** Of the case of one run that many watch. */
const WATCHERS = 1_000;
const WATCHED_EVENTS = 10;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const root = here("../..");

type Figure = {
  cpuMsPerTurn: number;
  wallMsPerTurn: number;
  turnsPerSecond: number;
  mostMemoryMb: number;
  /** NaN on the embedded database, which does not say. */
  logKbPerTurn: number;
};
const cleanUp = setup();
const kind = DATABASE_KINDS.at(-1) ?? "embedded";
const modelPort = await freePort();
const model = spawn(process.execPath, [here("mock-model.mjs"), "--port", String(modelPort), "--latency", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
// Also when a case fails.
process.on("exit", () => model.kill());
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
await new Promise<void>((resolve) => createInterface({ input: model.stdout }).once("line", () => resolve()));

/** Runs a file in a process and a database of its own; its last line is what it measured. */
async function measure<T>(file: string, args: (databaseUrl: string) => string[], modelMs: number): Promise<T> {
  const database = await freshDatabase(kind);
  try {
    await fetch(`http://127.0.0.1:${modelPort}/__reset?latency=${modelMs}`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", here(file), ...args(database.url), `http://127.0.0.1:${modelPort}/v1`],
      { cwd: root, env: { ...process.env, DATABASE_URL: database.url, LOG_LEVEL: "silent" } },
    );
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as T;
  } finally {
    await database.stop();
  }
}

async function takeFigure(which: string, name: string, scenario: Scenario, resultBytes?: number): Promise<Figure> {
  const { prompt, turns, atOnce, modelMs } = scenario;
  const runs = values.short ? scenario.short : scenario.runs;
  const figure = await measure<Figure>(
    "case.ts",
    (databaseUrl) => [
      which,
      prompt,
      String(turns),
      String(runs),
      String(atOnce),
      String(resultBytes ?? ""),
      databaseUrl,
    ],
    modelMs,
  );
  if (!values.json) console.error(`${name} ${which}: ${JSON.stringify(figure)}`);
  return figure;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function print(name: string, value: number, unit: string): void {
  const rounded = Number(value.toFixed(3));
  checked.note(name, rounded);
  console.log(values.json ? JSON.stringify({ name, value: rounded, unit }) : `${name.padEnd(24)} ${rounded} ${unit}`);
}

if (!values.json) console.log(`database: ${kind}; rounds: ${rounds}`);
const wanted = (name: string) => values.only === undefined || values.only.split(",").includes(name);
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (!wanted(name) || (values.short && scenario.short === 0)) continue;
  const taken: Record<string, Figure[]> = { bare: [], dbos: [], troupe: [] };
  for (let round = 0; round < rounds; round++) {
    for (const which of Object.keys(taken)) taken[which]?.push(await takeFigure(which, name, scenario));
  }
  const middle = (which: string, of: keyof Figure) => median((taken[which] ?? []).map((figure) => figure[of]));
  const ratio = (of: keyof Figure, to: string) =>
    median((taken.troupe ?? []).map((figure, round) => figure[of] / (taken[to]?.[round]?.[of] ?? Number.NaN)));
  for (const which of Object.keys(taken)) {
    print(`${name}.${which}_cpu_ms`, middle(which, "cpuMsPerTurn"), "ms/turn");
    print(`${name}.${which}_wall_ms`, middle(which, "wallMsPerTurn"), "ms/turn");
    print(`${name}.${which}_memory_mb`, middle(which, "mostMemoryMb"), "MB at most");
    if (kind === "postgres") print(`${name}.${which}_log_kb`, middle(which, "logKbPerTurn"), "kB of WAL/turn");
  }
  print(`${name}.cpu_ratio_floor`, ratio("cpuMsPerTurn", "bare"), "x");
  print(`${name}.cpu_ratio_dbos`, ratio("cpuMsPerTurn", "dbos"), "x");
  print(`${name}.wall_ratio_floor`, ratio("wallMsPerTurn", "bare"), "x");
  print(`${name}.wall_ratio_dbos`, ratio("wallMsPerTurn", "dbos"), "x");
  if (scenario.atOnce > 1) {
    for (const which of Object.keys(taken)) print(`${name}.${which}_turns`, middle(which, "turnsPerSecond"), "turns/s");
    print(`${name}.turns_ratio_dbos`, ratio("turnsPerSecond", "dbos"), "x");
  }
}
if (wanted("stream") && !values.short) {
  type First = { firstTokenMsP50: number; firstTokenMsP95: number };
  const taken: First[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push(await measure<First>("stream-case.ts", (url) => [String(STREAMS), url], STREAM_MODEL_MS));
  }
  print("stream.first_token_p50_ms", median(taken.map(({ firstTokenMsP50 }) => firstTokenMsP50)), "ms");
  print("stream.first_token_p95_ms", median(taken.map(({ firstTokenMsP95 }) => firstTokenMsP95)), "ms");
}
if (wanted("live") && !values.short) {
  type Delay = { delayMsP50: number; delayMsP99: number; cpuMsPerEvent: number };
  const taken: Delay[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push(await measure<Delay>("fanout-case.ts", (url) => [String(WATCHERS), String(WATCHED_EVENTS), url], 0));
  }
  checked.expect("live.");
  print("live.fanout1000_p50_ms", median(taken.map(({ delayMsP50 }) => delayMsP50)), "ms");
  print("live.fanout1000_p99_ms", median(taken.map(({ delayMsP99 }) => delayMsP99)), "ms");
  print("live.fanout1000_cpu_ms", median(taken.map(({ cpuMsPerEvent }) => cpuMsPerEvent)), "ms/event");
}
if (wanted("loop") && !values.short) {
  type Late = { delayMsP99: number; delayMsMax: number; turnsPerSecond: number; calls: number };
  for (const which of DISTURBANCES) {
    const taken: Late[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push(await measure<Late>("loop-case.ts", (url) => [which, url], LOOP_MODEL_MS));
    }
    const middle = (of: keyof Late) => median(taken.map((late) => late[of]));
    print(`loop.${which}_delay_p99_ms`, middle("delayMsP99"), "ms");
    print(`loop.${which}_delay_max_ms`, middle("delayMsMax"), "ms");
    print(`loop.${which}_turns`, middle("turnsPerSecond"), "turns/s");
    if (which !== "quiet") print(`loop.${which}_calls`, middle("calls"), "calls");
  }
}
if (wanted("growth") && !values.short) {
  type Cost = { cpuMsPerTurn: number; logKbPerTurn: number };
  const taken: { early: Cost; late: Cost }[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push(await measure("growth-case.ts", (url) => [String(GROWING_RUNS), url], 0));
  }
  const middle = (when: "early" | "late", of: keyof Cost) => median(taken.map((figure) => figure[when][of]));
  const ratio = (of: keyof Cost) => median(taken.map(({ early, late }) => late[of] / early[of]));
  for (const when of ["early", "late"] as const) {
    print(`growth.${when}_cpu_ms`, middle(when, "cpuMsPerTurn"), "ms/turn");
    if (kind === "postgres") print(`growth.${when}_log_kb`, middle(when, "logKbPerTurn"), "kB of WAL/turn");
  }
  print("growth.cpu_ratio", ratio("cpuMsPerTurn"), "x");
  if (kind === "postgres") print("growth.log_ratio", ratio("logKbPerTurn"), "x");
}
if (wanted("log") && kind === "postgres" && !values.short) {
  for (const name of ["s1", "s2"]) {
    const scenario = SCENARIOS[name];
    if (!scenario) continue;
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push((await takeFigure("troupe", name, scenario, LOGGED_RESULT_BYTES)).logKbPerTurn);
    }
    print(`log.${name}_kb`, median(taken), "kB of WAL/turn");
  }
}
await cleanUp();
process.exit(checked.end());
