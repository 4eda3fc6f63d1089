import { db } from "@/server/db";
import type { Tool } from "@/server/tools/tool";
import { aTool } from "@/tests/support/engine-scripts";
import { aTeam } from "@/tests/support/factories";
import { engineUnderBench } from "./engine-under-bench";
import { logPosition } from "./log-position";

/**
 * What turns cost and write late in a long run, and early: growth-case.ts RUNS DATABASE_URL MODEL_URL → one line of JSON. Runs of 200
 * tool calls, one after the other; turns 10 to 20 are held against 190 to 200, in all runs together, as ten turns take too little to be told apart.
 */
const TURNS = 200;
const WARM_UP_RUNS = 3;
const SPAN = 10;
const SPANS = { early: 10, late: TURNS - SPAN };

const [runs = "", databaseUrl = "", baseURL = ""] = process.argv.slice(2);
const tools = new Map<string, Tool>();
const engine = await engineUnderBench({ baseURL, databaseUrl, stream: false, tools });

type Spent = { cpuMs: number; bytes: number };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let spent = { early: { cpuMs: 0, bytes: 0 }, late: { cpuMs: 0, bytes: 0 } };
let before: Spent = { cpuMs: 0, bytes: 0 };
const RESULT = "result ".repeat(25);
tools.set(
  "marked",
  aTool("marked", async (args) => {
    const { i } = args as { i: number };
    const turn = i + 1;
    for (const [name, from] of Object.entries(SPANS) as [keyof typeof SPANS, number][]) {
      // What it costs to ask for the log lies outside.
      if (turn === from) {
        const bytes = await logPosition(databaseUrl);
        before = { cpuMs: cpuMs(), bytes };
      }
      if (turn === from + SPAN) {
        spent[name].cpuMs += cpuMs() - before.cpuMs;
        spent[name].bytes += (await logPosition(databaseUrl)) - before.bytes;
      }
    }
    return `ok ${i} ${RESULT}`;
  }),
);
const team = await aTeam(db(), engine.scope.workspaceId, {
  supervisor: { tools: ["marked"], maxToolRounds: TURNS + 1, canSpawnAgents: false },
  agents: [],
});
async function one(): Promise<void> {
  const answer = await engine.answerOf(await engine.start(`[[tools=${TURNS};call=marked]] do the job`, team));
  if (answer !== `FINAL n=${TURNS}`) throw new Error(answer);
}
for (let i = 0; i < WARM_UP_RUNS; i++) await one();
spent = { early: { cpuMs: 0, bytes: 0 }, late: { cpuMs: 0, bytes: 0 } };
for (let i = 0; i < Number(runs); i++) await one();
const n = SPAN * Number(runs);
const perTurn = ({ cpuMs, bytes }: Spent) => ({ cpuMsPerTurn: cpuMs / n, logKbPerTurn: bytes / 1024 / n });
console.log(JSON.stringify({ early: perTurn(spent.early), late: perTurn(spent.late) }));
await engine.close();
process.exit(0);
