import { fork } from "node:child_process";
import { once } from "node:events";
import { closeDb, db } from "@/server/db";
import { closeListener } from "@/server/runs/listener";
import { getRunTree } from "@/server/runs/queries/get-run-tree";
import { aMember, aWorkspace } from "@/tests/support/factories";
import { LiveReader } from "@/tests/support/live-reader";
import { startLiveServer } from "@/tests/support/live-server";
import { RunWriter } from "@/tests/support/run-writer";
import { aSampleTeam, insertSampleRun } from "@/tests/support/sample-run";

/**
 * How long after its writing began an event of one run has reached each of those who watch it, over as many HTTP streams:
 * fanout-case.ts WATCHERS EVENTS DATABASE_URL MODEL_URL → one line of JSON. Those who watch are one process of their own, on the same machine.
 */
const [watchers = "1000", events = "30", databaseUrl = ""] = process.argv.slice(2);
process.env.DATABASE_URL = databaseUrl;
const scope = await aMember(db(), await aWorkspace(db()));
const team = await aSampleTeam(db(), scope.workspaceId);
const runId = await insertSampleRun(db(), { workspaceId: scope.workspaceId, team, state: "live" });
const { agents, lastSeq } = await getRunTree(scope.workspaceId, runId);
const writer = new RunWriter(databaseUrl, { ...scope, runId, agentRunId: agents[0]?.id ?? "" });
const server = await startLiveServer(scope);
const { address } = new LiveReader(server.url, { runId, lastEventId: String(lastSeq) });
const readers = fork(new URL("fanout-readers.mjs", import.meta.url), [address, watchers, String(lastSeq)], {
  execArgv: [],
});
await once(readers, "message");

const delays: number[] = [];
let cpu = process.cpuUsage();
// The first is not counted: streams that are still being opened catch up with it.
for (let nth = 0; nth <= Number(events); nth++) {
  const reached = once(readers, "message");
  const beganAt = performance.timeOrigin + performance.now();
  await writer.appendStatus();
  const [{ at }] = (await reached) as [{ at: number[] }];
  if (nth > 0) delays.push(...at.map((each) => each - beganAt));
  else cpu = process.cpuUsage();
}
const sorted = delays.sort((a, b) => a - b);
const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
cpu = process.cpuUsage(cpu);
const cpuMsPerEvent = (cpu.user + cpu.system) / 1000 / Number(events);
console.log(JSON.stringify({ delayMsP50: at(0.5), delayMsP99: at(0.99), cpuMsPerEvent }));
readers.kill();
await server.close();
await writer.close();
await closeListener();
await closeDb();
process.exit(0);
