import { ACTIVE_STATUSES, type RunStatus } from "@/server/engine/state";
import { ageWords, countWords, judgeQueue, worstOf } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

/** A worker says every second that it lives; the others forget it after three. */
export const WORKER_SILENT_AFTER_MS = 5_000;
/** On a machine that is very busy a heartbeat comes late; after this long it is no longer that. */
const WORKER_GONE_AFTER_MS = 30_000;

/** Ages by the database's clock, which is also the one that wrote the heartbeats. */
export async function checkWorkers({ pool, isRunning }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<{ id: string; host: string; pid: number; silentMs: number }>(
    `SELECT id, host, pid, (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
     FROM workers ORDER BY beat_at DESC LIMIT 50`,
  );
  const alive = rows.filter(({ silentMs }) => silentMs < WORKER_SILENT_AFTER_MS);
  const facts = rows.map(({ id, host, pid, silentMs }) =>
    fact(id, `${host}, process ${pid}, last heard of ${ageWords(silentMs)} ago`),
  );
  if (alive.length > 0) return { state: "ok", says: `${countWords(alive.length, "worker")} at work.`, facts };
  if (isRunning === false) return { state: "unknown", says: "Troupe is not running, so no worker is.", facts };
  const youngestMs = rows[0]?.silentMs ?? Number.POSITIVE_INFINITY;
  if (youngestMs < WORKER_GONE_AFTER_MS) {
    return {
      state: "warning",
      says: `No worker was heard of for ${ageWords(youngestMs)}: it is very busy, or it has ended.`,
      advice: "Look again in half a minute. If it stays so, the log of `npm start` says why the worker ended.",
      facts,
    };
  }
  return {
    state: "problem",
    says: "No worker is alive: runs are taken on, but nobody carries them out.",
    advice: "Look at the log of `npm start` for why its worker ended, or start one with `npm run worker`.",
    facts,
  };
}

type Waiting = { runs: string; runsMs: number | null; documents: string; documentsMs: number | null };

export async function checkQueue({ pool, isRunning }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<Waiting>(
    `SELECT a.count AS runs, a.ms AS "runsMs", d.count AS documents, d.ms AS "documentsMs"
     FROM (SELECT count(*), (extract(epoch FROM clock_timestamp() - min(created_at)) * 1000)::float8 AS ms
           FROM agent_runs WHERE status = 'queued') a,
          (SELECT count(*), (extract(epoch FROM clock_timestamp() - min(files.touched_at)) * 1000)::float8 AS ms
           FROM documents JOIN files ON files.id = documents.file_id
           WHERE documents.status IN ('queued', 'extracting')) d`,
  );
  const { runs = "0", runsMs = null, documents = "0", documentsMs = null } = rows[0] ?? {};
  const waiting = (count: string, ms: number | null) => (ms === null ? "none" : `${count}, oldest for ${ageWords(ms)}`);
  const facts = [
    fact("Agent runs waiting for a worker", waiting(runs, runsMs)),
    fact("Documents to be read", waiting(documents, documentsMs)),
  ];
  const total = Number(runs) + Number(documents);
  if (isRunning === false) {
    const says = total === 0 ? "Nothing waits." : `${countWords(total, "piece")} of work will go on at the next start.`;
    return { state: "ok", says, facts };
  }
  const state = worstOf([judgeQueue(runsMs), judgeQueue(documentsMs)]);
  if (state === "ok") return { state, says: total === 0 ? "Nothing waits." : "Work is taken up as it comes.", facts };
  const oldest = ageWords(Math.max(runsMs ?? 0, documentsMs ?? 0));
  return {
    state,
    says: `Work has waited for ${oldest}.`,
    advice: "If workers are alive they have more to do than they can: start another with `npm run worker`.",
    facts,
  };
}

/** The runs that Home counts as active, of all workspaces. */
export async function checkRuns({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<{ status: RunStatus; count: string; recent: string }>(
    `SELECT r.status, count(*) AS count,
       count(*) FILTER (WHERE r.status = 'interrupted' AND e.at > now() - interval '1 day') AS recent
     FROM runs r LEFT JOIN events e ON e.run_id = r.id AND e.seq = r.last_seq
     WHERE r.removing_at IS NULL AND r.status = ANY($1::run_status[]) GROUP BY r.status ORDER BY r.status`,
    [ACTIVE_STATUSES],
  );
  const facts = rows.map(({ status, count }) => fact(status, count));
  const total = (column: "count" | "recent") => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const active = total("count");
  const says =
    active === 0 ? "No run is active." : `${countWords(active, "run is", "runs are")} active: not ended yet.`;
  const recent = total("recent");
  if (recent === 0) return { state: "ok", says, facts };
  return {
    state: "warning",
    says: `${countWords(recent, "run was", "runs were")} interrupted in the last day. ${says}`,
    advice: "Open them under Runs: each says why, and can be run again.",
    facts,
  };
}
