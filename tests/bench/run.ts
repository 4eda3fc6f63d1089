import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import setup, { DATABASE_KINDS, freshDatabase } from "@/tests/support/databases";

/**
 * npm run bench [-- --short] [--rounds N] [--json]: CPU and wall time a turn of (a) a bare loop with one insert a step,
 * (b) the same loop on DBOS, (c) our engine; same scripted model, one run at a time, streaming off.
 * Cases of a round run one after the other, each in a process of its own; ratios are taken inside a round, then the median.
 */
const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    rounds: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds ?? (values.short ? 1 : 5));
const runsOf: Record<string, number> = values.short ? { s1: 30, s2: 8 } : { s1: 60, s2: 20 };
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const root = here("../..");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

type Figure = { cpuMsPerTurn: number; wallMsPerTurn: number };
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

async function measure(which: string, scenario: string): Promise<Figure> {
  const database = await freshDatabase(kind);
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        "--import",
        "tsx",
        here("case.ts"),
        which,
        scenario,
        String(runsOf[scenario]),
        database.url,
        `http://127.0.0.1:${modelPort}/v1`,
      ],
      { cwd: root, env: { ...process.env, DATABASE_URL: database.url, LOG_LEVEL: "silent" } },
    );
    if (!values.json) console.error(`${scenario} ${which}: ${stdout.trim().split("\n").at(-1)}`);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Figure;
  } finally {
    await database.stop();
  }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function print(name: string, value: number, unit: string): void {
  const rounded = Number(value.toFixed(3));
  console.log(values.json ? JSON.stringify({ name, value: rounded, unit }) : `${name.padEnd(24)} ${rounded} ${unit}`);
}

if (!values.json) console.log(`database: ${kind}; rounds: ${rounds}`);
for (const scenario of ["s1", "s2"]) {
  const taken: Record<string, Figure[]> = { bare: [], dbos: [], troupe: [] };
  for (let round = 0; round < rounds; round++) {
    for (const which of Object.keys(taken)) taken[which]?.push(await measure(which, scenario));
  }
  for (const [which, figures] of Object.entries(taken)) {
    print(`${scenario}.${which}_cpu_ms`, median(figures.map(({ cpuMsPerTurn }) => cpuMsPerTurn)), "ms/turn");
    print(`${scenario}.${which}_wall_ms`, median(figures.map(({ wallMsPerTurn }) => wallMsPerTurn)), "ms/turn");
  }
  const ratio = (of: keyof Figure, to: string) =>
    median((taken.troupe ?? []).map((figure, round) => figure[of] / (taken[to]?.[round]?.[of] ?? Number.NaN)));
  print(`${scenario}.cpu_ratio_floor`, ratio("cpuMsPerTurn", "bare"), "x");
  print(`${scenario}.cpu_ratio_dbos`, ratio("cpuMsPerTurn", "dbos"), "x");
  print(`${scenario}.wall_ratio_floor`, ratio("wallMsPerTurn", "bare"), "x");
  print(`${scenario}.wall_ratio_dbos`, ratio("wallMsPerTurn", "dbos"), "x");
}
await cleanUp();
process.exit(0);
