import { readRestoreState } from "@/server/backup/restore-request";
import { pool } from "@/server/db";
import { env } from "@/server/env";
import { readHealth } from "../queries/read-health";

const HEADERS = { "cache-control": "no-store" };

/** GET /healthz/live: this process answers. Asks nothing of the database, whose loss a restart would not heal. */
export function answerLive(): Response {
  return Response.json({ ok: true }, { headers: HEADERS });
}

let stopping = false;
let listens = false;

/**
 * GET /healthz/ready: whether this web server should be sent requests. 503 while the database does not answer within 2 s,
 * while its schema is not this build's, during a restore, and once the process was told to stop.
 *
 * A missing worker is told but makes no 503: people can still read, answer and start runs, which wait for the next worker,
 * and taking the pages away as well would help nobody. With `?worker=required` it does, for whoever watches over the whole.
 */
export async function answerReady(request: Request): Promise<Response> {
  if (!listens) {
    // Not at import: a module that listens keeps every process that only loads it from ending.
    listens = true;
    process.once("SIGTERM", () => {
      stopping = true;
      // Listening stands in for Node's own answer to the signal, which is to end.
      if (process.listenerCount("SIGTERM") === 0) process.kill(process.pid, "SIGTERM");
    });
  }
  const needsWorker = new URL(request.url).searchParams.get("worker") === "required";
  const [health, isRestoring] = await Promise.all([
    readHealth({ pool: pool(), root: process.cwd() }),
    isRestoreUnderWay(env().DATA_DIR),
  ]);
  const server = stopping ? "stopping" : isRestoring ? "restoring" : "ok";
  const answers = server === "ok" && health.database === "ok" && health.schema === "ok";
  const ok = answers && (health.worker === "ok" || !needsWorker);
  return Response.json({ ok, checks: { server, ...health } }, { status: ok ? 200 : 503, headers: HEADERS });
}

/** From the moment somebody asked for it: what is read or changed now is about to go. */
async function isRestoreUnderWay(dataDirectory: string | undefined): Promise<boolean> {
  if (!dataDirectory) return false;
  const state = await readRestoreState(dataDirectory).catch(() => null);
  return state !== null && state.state !== "failed";
}
