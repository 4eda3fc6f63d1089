import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
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
 * fanout-case.ts WATCHERS EVENTS DATABASE_URL MODEL_URL → one line of JSON. Server and readers share one process, which is the worst case.
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
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** The last event it has seen, and when. */
type Watcher = { seen: number; at: number };
async function watch(): Promise<Watcher> {
  const watcher = { seen: lastSeq, at: 0 };
  const asked = get(address, { agent });
  const [stream] = (await once(asked, "response")) as [IncomingMessage];
  // Cut off when all is measured.
  for (const end of [asked, stream]) end.on("error", () => {});
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const seq = Number(/"type":"event".*^id: (\d+)$/ms.exec(frame)?.[1]);
      if (!(seq > watcher.seen)) continue;
      watcher.seen = seq;
      watcher.at = performance.now();
    }
  });
  return watcher;
}

const watching: Watcher[] = [];
// No more at a time than a server lets wait at its door.
while (watching.length < Number(watchers)) {
  const more = Math.min(100, Number(watchers) - watching.length);
  watching.push(...(await Promise.all(Array.from({ length: more }, watch))));
}
const delays: number[] = [];
let cpu = process.cpuUsage();
// The first is not counted: streams that are still being opened catch up with it.
for (let nth = 0; nth <= Number(events); nth++) {
  const beganAt = performance.now();
  await writer.appendStatus();
  while (watching.some(({ seen }) => seen < lastSeq + 1 + nth)) await new Promise((resolve) => setTimeout(resolve, 5));
  if (nth > 0) delays.push(...watching.map(({ at }) => at - beganAt));
  else cpu = process.cpuUsage();
}
const sorted = delays.sort((a, b) => a - b);
const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
cpu = process.cpuUsage(cpu);
const cpuMsPerEvent = (cpu.user + cpu.system) / 1000 / Number(events);
console.log(JSON.stringify({ delayMsP50: at(0.5), delayMsP99: at(0.99), cpuMsPerEvent }));
agent.destroy();
await server.close();
await writer.close();
await closeListener();
await closeDb();
process.exit(0);
