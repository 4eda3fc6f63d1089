import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { db, pool } from "@/server/db";
import { env } from "@/server/env";
import { toolServerConnections } from "@/server/mcp/connections";
import { mcpTools } from "@/server/mcp/mcp-tools";
import { checkToolServer } from "@/server/tool-servers/service/check-tool-server";
import type { Tool } from "@/server/tools/tool";
import { aTeam } from "@/tests/support/factories";
import { startKillable } from "@/tests/support/killable";
import { aToolServer, odd } from "@/tests/support/tool-servers";
import { engineUnderBench } from "./engine-under-bench";

/**
 * How late the worker's event loop is with ordinary runs under way while a tool server does what servers should not:
 * loop-case.ts quiet|compute|flood|json|large DATABASE_URL MODEL_URL → one line of JSON.
 * quiet: there is none · compute: a program computes all the time · flood: a program answers 100 MB, again and again · json: a server
 * over HTTP does · large: it answers not quite too much, which is read to its end.
 * The monitor's timer is due every RESOLUTION_MS, and what it records is the time between two ticks: the delay is that less the resolution.
 */
const RESOLUTION_MS = 5;
/** Runs of ten tool calls at once. */
const LANES = 10;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 5_000;

const [which = "", databaseUrl = "", baseURL = ""] = process.argv.slice(2);
env().SECRETS_KEY = "a key for the bench that is long enough, really";
const tools = new Map<string, Tool>();
const engine = await engineUnderBench({ baseURL, databaseUrl, stream: true, tools });
const { workspaceId } = engine.scope;
const folder = await mkdtemp(join(tmpdir(), "troupe-bench-"));
const log = join(folder, "calls.log");
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Attaches a tool server as an owner would, and starts a run whose agent calls one of its tools. */
async function callerOf(name: string, server: Parameters<typeof aToolServer>[2]): Promise<() => Promise<string>> {
  const { id } = await aToolServer(db(), workspaceId, server);
  await checkToolServer({ scope: engine.scope, input: { toolServerId: id } });
  const found = await mcpTools(pool(), workspaceId, [name]);
  if (found.missing.length) throw new Error(found.missing.join(" "));
  for (const [key, tool] of found.tools) tools.set(key, tool);
  const caller = await aTeam(db(), workspaceId, { supervisor: { tools: [name], canSpawnAgents: false }, agents: [] });
  return () => engine.start(`[[tools=1;call=${name}]] do the job`, caller);
}

let isOver = false;
async function again(start: () => Promise<string>, expected = "FINAL n=1"): Promise<void> {
  while (!isOver) {
    const answer = await engine.answerOf(await start());
    if (answer !== expected) throw new Error(answer);
  }
}

/** `comesTo`: how its calls end. */
type Disturbance = { tool: string; comesTo: "completed" | "failed"; begin(): Promise<{ ended: Promise<unknown> }> };
const oddServer = () => ({ ...odd, name: "odd", secrets: { TOOL_LOG: log } });
async function farAway(tool: string, comesTo: Disturbance["comesTo"]): Promise<Disturbance> {
  const { line: port } = await startKillable("tests/support/flooding-tool-server-main.ts");
  await db().allowedHost.create({ data: { workspaceId, host: "127.0.0.1", port: Number(port) } });
  const reach = { transport: "http", url: `http://127.0.0.1:${port}/mcp` } as const;
  const secrets = { Authorization: "Bearer a-token-of-this-server" };
  const start = await callerOf(tool, { ...reach, name: "far", secrets });
  return { tool, comesTo, begin: async () => ({ ended: again(start) }) };
}
const DISTURBANCES: Record<string, () => Promise<Disturbance | undefined>> = {
  quiet: async () => undefined,
  async compute() {
    const start = await callerOf("odd__compute", oddServer());
    const begin = async () => {
      const runId = await start();
      while (!existsSync(log) || !readFileSync(log, "utf8").includes("compute")) await after(10);
      const stop = async () => {
        while (!isOver) await after(10);
        writeFileSync(`${log}.enough`, "");
        await engine.answerOf(runId);
      };
      return { ended: stop() };
    };
    return { tool: "odd__compute", comesTo: "completed", begin };
  },
  async flood() {
    const start = await callerOf("odd__flood", oddServer());
    return { tool: "odd__flood", comesTo: "failed", begin: async () => ({ ended: again(start) }) };
  },
  json: () => farAway("far__flood", "failed"),
  large: () => farAway("far__large", "completed"),
};
const disturbance = await DISTURBANCES[which]?.();

const lane = () => again(() => engine.start("[[tools=10]] do the job"), "FINAL n=10");
const lanes = Array.from({ length: LANES }, lane);
await after(WARM_UP_MS);
const disturbed = await disturbance?.begin();
const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const turnsBefore = await stepsOf("kind = 'model'");
const t0 = performance.now();
monitor.enable();
await Promise.race([after(MEASURED_MS), ...lanes, disturbed?.ended ?? new Promise(() => {})]);
monitor.disable();
const seconds = (performance.now() - t0) / 1000;
const turns = (await stepsOf("kind = 'model'")) - turnsBefore;
isOver = true;
await Promise.all([...lanes, disturbed?.ended]);
const { tool, comesTo } = disturbance ?? {};
const calls = tool ? await stepsOf("name = $1 and status = $2", [tool, comesTo]) : 0;
if (tool && calls === 0) throw new Error(`no call of ${tool} is ${comesTo}`);

async function stepsOf(what: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(`select count(*)::int as n from steps where ${what}`, values);
  return rows[0]?.n ?? 0;
}
const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
console.log(
  JSON.stringify({
    delayMsP99: late(monitor.percentile(99)),
    delayMsMax: late(monitor.max),
    turnsPerSecond: turns / seconds,
    calls,
  }),
);
await toolServerConnections.closeAll();
await engine.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);
