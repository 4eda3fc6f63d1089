import { bareLoop, dbosLoop } from "./baselines.mjs";
import { troupe } from "./engine-under-bench";

/** One figure in a process of its own: case.ts WHICH SCENARIO RUNS DATABASE_URL MODEL_URL → one line of JSON. */
const [which = "", scenario = "", runs = "60", databaseUrl = "", baseURL = ""] = process.argv.slice(2);
const SCENARIOS: Record<string, { prompt: string; turns: number }> = {
  s1: { prompt: "[[tools=10]] do the job", turns: 11 },
  s2: { prompt: "[[delegate=8;tools=5]] do the job", turns: 50 },
};
type Contender = {
  single(prompt: string, run: string): Promise<string>;
  supervisor(prompt: string, run: string): Promise<string>;
  close(): Promise<unknown>;
};
const CONTENDERS: Record<string, (at: { baseURL: string; databaseUrl: string }) => Promise<Contender>> = {
  bare: bareLoop,
  dbos: dbosLoop,
  troupe,
};
const chosen = SCENARIOS[scenario];
const contender = await CONTENDERS[which]?.({ baseURL, databaseUrl });
if (!chosen || !contender) throw new Error(`unknown case ${which} ${scenario}`);
const one = (i: number) =>
  scenario === "s1" ? contender.single(chosen.prompt, `r${i}`) : contender.supervisor(chosen.prompt, `r${i}`);

for (let i = 1; i <= 10; i++) await one(-i);
const cpu0 = process.cpuUsage();
const t0 = performance.now();
for (let i = 0; i < Number(runs); i++) {
  const answer = await one(i);
  if (!answer.startsWith("FINAL")) throw new Error(answer);
}
const cpu = process.cpuUsage(cpu0);
const n = Number(runs) * chosen.turns;
console.log(
  JSON.stringify({ cpuMsPerTurn: (cpu.user + cpu.system) / 1000 / n, wallMsPerTurn: (performance.now() - t0) / n }),
);
await contender.close();
process.exit(0);
