import type pg from "pg";
import { pool } from "@/server/db";
import { inTransaction } from "@/server/transaction";

/** Columns that hold an instant of a run, by table; `run` is the column that names it. */
const INSTANTS = [
  { table: "runs", run: "id", columns: ["created_at", "started_at", "finished_at", "held_at"] },
  { table: "agent_runs", run: "run_id", columns: ["created_at", "started_at", "finished_at", "collected_at"] },
  { table: "steps", run: "run_id", columns: ["started_at", "finished_at"] },
  { table: "decisions", run: "run_id", columns: ["at"] },
  { table: "human_requests", run: "run_id", columns: ["created_at", "answered_at", "escalated_until"] },
  { table: "tasks", run: "run_id", columns: ["created_at", "finished_at"] },
  { table: "mails", run: "run_id", columns: ["sent_at", "read_at"] },
  { table: "effects", run: "run_id", columns: ["intended_at", "settled_at"] },
  { table: "citations", run: "run_id", columns: ["at"] },
  { table: "events", run: "run_id", columns: ["at"] },
] as const;

const INSTANT = /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)"/g;

/**
 * Moves an example run into the past and stretches it: the seed's model answers at once, and a real one takes its time. Rows and
 * events are moved by the same rule, so that they go on saying the same. Nobody is named as the worker it had.
 */
export async function setBack(runId: string, { agoMs, lastsMs }: { agoMs: number; lastsMs: number }): Promise<void> {
  await inTransaction(async (client) => {
    const { rows } = await client.query<{ from: Date; tookMs: number }>(
      `SELECT r.created_at AS from, (1000 * extract(epoch FROM max(e.at) - r.created_at))::int AS "tookMs"
       FROM runs r JOIN events e ON e.run_id = r.id WHERE r.id = $1 GROUP BY r.id`,
      [runId],
    );
    if (!rows[0]) throw new Error("There is no such example run.");
    const from = rows[0].from.getTime();
    // A whole number, so that both ways of reckoning below give the same millisecond.
    const times = Math.max(1, Math.round(lastsMs / Math.max(rows[0].tookMs, 1)));
    const to = from - agoMs;
    for (const { table, run, columns } of INSTANTS) {
      const moved = columns.map((column) => `${column} = $2::timestamptz + (${column} - $3::timestamptz) * $4::int`);
      await client.query(`UPDATE ${table} SET ${moved} WHERE ${run} = $1`, [
        ...[runId, new Date(to), new Date(from), times],
      ]);
    }
    await client.query("UPDATE runs SET active_ms = active_ms * $2::int WHERE id = $1", [runId, times]);
    const move = (text: string) =>
      text.replace(INSTANT, (_, at: string) => `"${new Date(to + (Date.parse(at) - from) * times).toISOString()}"`);
    await rewrite(client, move, runId);
    await align(client, runId);
  });
}

async function rewrite(client: pg.PoolClient, move: (text: string) => string, runId: string): Promise<void> {
  const events = await client.query<{ seq: number; body: string }>(
    "SELECT seq, body::text AS body FROM events WHERE run_id = $1",
    [runId],
  );
  await client.query(
    `UPDATE events e SET body = m.body::jsonb FROM unnest($2::int[], $3::text[]) AS m (seq, body)
     WHERE e.run_id = $1 AND e.seq = m.seq`,
    [runId, events.rows.map(({ seq }) => seq), events.rows.map(({ body }) => move(body))],
  );
  const agents = await client.query<{ id: string; open: string }>(
    "SELECT id, open_steps::text AS open FROM agent_runs WHERE run_id = $1",
    [runId],
  );
  await client.query(
    `UPDATE agent_runs a SET open_steps = m.open::jsonb, worker_id = NULL
     FROM unnest($2::uuid[], $3::text[]) AS m (id, open) WHERE a.run_id = $1 AND a.id = m.id`,
    [runId, agents.rows.map(({ id }) => id), agents.rows.map(({ open }) => move(open))],
  );
}

/** The engine's clock and the database's are a moment apart, which stretched would be seconds: what the events say counts. */
async function align(client: pg.PoolClient, runId: string): Promise<void> {
  await client.query(
    `UPDATE agent_runs a SET created_at = coalesce((e.body -> 'agent' ->> 'createdAt')::timestamptz, a.created_at)
     FROM events e WHERE a.run_id = $1 AND e.run_id = $1 AND e.agent_run_id = a.id AND e.kind = 'agent.created'`,
    [runId],
  );
  await client.query(
    `UPDATE agent_runs a SET finished_at = (e.body ->> 'at')::timestamptz FROM events e
     WHERE a.run_id = $1 AND e.run_id = $1 AND e.agent_run_id = a.id AND e.kind = 'agent.status'
       AND a.finished_at IS NOT NULL AND e.body ->> 'status' = a.status::text`,
    [runId],
  );
  await client.query(
    `UPDATE mails m SET read_at = (e.body ->> 'at')::timestamptz FROM events e
     WHERE m.run_id = $1 AND e.run_id = $1 AND e.kind = 'mail.read' AND e.body -> 'mailIds' @> to_jsonb(m.id::text)`,
    [runId],
  );
  await client.query(
    `UPDATE dead_letters d SET at = s.finished_at FROM steps s
     WHERE d.run_id = $1 AND s.agent_run_id = d.agent_run_id AND s.position = d.position`,
    [runId],
  );
  await client.query(
    `UPDATE human_requests q SET created_at = (e.body -> 'request' ->> 'createdAt')::timestamptz FROM events e
     WHERE q.run_id = $1 AND e.run_id = $1 AND e.kind = 'request.opened' AND e.body -> 'request' ->> 'id' = q.id::text`,
    [runId],
  );
}

/** Whether somebody would carry out what is queued while the seed does. */
export async function isAnyWorkerAlive(): Promise<boolean> {
  const { rows } = await pool().query(
    "SELECT 1 FROM workers WHERE beat_at > clock_timestamp() - interval '5 seconds' LIMIT 1",
  );
  return rows.length > 0;
}
