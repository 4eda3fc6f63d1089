import { pool } from "@/server/db";
import { newWorkerId } from "@/server/engine/executor";
import { WorkHub } from "@/server/engine/hub";
import { beat } from "@/server/engine/workers";
import { env } from "@/server/env";
import { startIndexer } from "@/server/retrieval/indexer";

/** A worker process that only indexes, for fault tests. Settings come as one JSON argument, the database in DATABASE_URL. */
export type TestIndexerSettings = {
  /** SIGKILL itself at the nth time this point is reached. */
  killAt?: { point: string; nth: number };
  silentUploadMs?: number;
};

/** Only one of them is alive at a time: what a killed one left need not wait for long. */
const DEAD_AFTER_MS = 500;
const BEAT_EVERY_MS = 100;
const { killAt, silentUploadMs } = JSON.parse(process.argv[2] ?? "{}") as TestIndexerSettings;

const workerId = newWorkerId();
await beat(pool(), workerId, DEAD_AFTER_MS);
setInterval(() => void beat(pool(), workerId, DEAD_AFTER_MS).catch(() => {}), BEAT_EVERY_MS);
const hub = new WorkHub(env().DATABASE_URL);
await hub.listen();

let reached = 0;
startIndexer({
  workerId,
  hub,
  ...(silentUploadMs ? { silentUploadMs } : {}),
  atFaultPoint: async (point) => {
    if (point !== killAt?.point) return;
    reached += 1;
    if (reached === killAt.nth) process.kill(process.pid, "SIGKILL");
    // The signal is delivered asynchronously: nothing may happen in between.
    if (reached >= killAt.nth) await new Promise(() => {});
  },
});
process.stdout.write("ready\n");
process.stdin.on("end", () => process.exit(0)).resume();
