import { bareLoop, dbosLoop } from "./baselines.mjs";
import { troupe } from "./engine-under-bench";
import { logPosition } from "./log-position";

/**
 * Figures in a process of their own: case.ts WHICH PROMPT TURNS RUNS AT_ONCE RESULT_BYTES DATABASE_URL MODEL_URL → one line of JSON.
 * RESULT_BYTES, if any, is for our engine only: what the baselines' tools answer is as it is.
 */
const [which = "", prompt = "", turns = "", runs = "", atOnce = "", resultBytes = "", databaseUrl = "", baseURL = ""] =
  process.argv.slice(2);
type Contender = {
  single(prompt: string, run: string): Promise<string>;
  supervisor(prompt: string, run: string): Promise<string>;
  close(): Promise<unknown>;
};
type At = { baseURL: string; databaseUrl: string; resultBytes?: number };
const CONTENDERS: Record<string, (at: At) => Promise<Contender>> = {
  bare: bareLoop,
  dbos: dbosLoop,
  troupe,
};
const contender = await CONTENDERS[which]?.({
  baseURL,
  databaseUrl,
  ...(resultBytes ? { resultBytes: Number(resultBytes) } : {}),
});
if (!contender) throw new Error(`unknown case ${which}`);

async function one(i: number): Promise<void> {
  const isTeam = prompt.startsWith("[[delegate");
  const answer = await (isTeam ? contender?.supervisor(prompt, `r${i}`) : contender?.single(prompt, `r${i}`));
  if (!answer?.startsWith("FINAL")) throw new Error(answer);
}

for (let i = 1; i <= 10; i++) await one(-i);
const log0 = await logPosition(databaseUrl);
const cpu0 = process.cpuUsage();
const t0 = performance.now();
let begun = 0;
const lane = async () => {
  while (begun < Number(runs)) await one(begun++);
};
await Promise.all(Array.from({ length: Number(atOnce) }, lane));
const cpu = process.cpuUsage(cpu0);
const wallMs = performance.now() - t0;
const n = Number(runs) * Number(turns);
const log = await logPosition(databaseUrl);
console.log(
  JSON.stringify({
    cpuMsPerTurn: (cpu.user + cpu.system) / 1000 / n,
    wallMsPerTurn: wallMs / n,
    turnsPerSecond: (n / wallMs) * 1000,
    mostMemoryMb: process.resourceUsage().maxRSS / 1024,
    logKbPerTurn: (log - log0) / 1024 / n,
  }),
);
await contender.close();
process.exit(0);
