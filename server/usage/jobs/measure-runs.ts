import { pool } from "@/server/db";
import type { Sum } from "../schema";
import { Pace } from "./pace";

/** Before the first id. */
const NO_ID = "00000000-0000-0000-0000-000000000000";
/** What a row and its index entries take besides its values. */
const ROW = 120;
/** Of a run and of each decision, made a little after it: a measurement may come before. */
const VECTOR = 2_100;

/** What a run keeps, by table: columns whose length varies, and a flat sum for the rest. Nothing is decompressed for it. */
const PARTS = [
  `SELECT id AS run, ${ROW} * 4 + ${VECTOR} + pg_column_size(input) + coalesce(pg_column_size(answer), 0) AS bytes
   FROM runs WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
  `SELECT run_id AS run, ${ROW} * 3 + pg_column_size(task) + coalesce(pg_column_size(result), 0) + pg_column_size(open_steps) AS bytes
   FROM agent_runs WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, ${ROW} + pg_column_size(body) AS bytes
   FROM events WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, ${ROW} * 4 + pg_column_size(prompt) + pg_column_size(options) + coalesce(pg_column_size(call), 0) AS bytes
   FROM human_requests WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, ${ROW} * 3 + pg_column_size(text) AS bytes
   FROM citations WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  // Agent run by agent run: where nothing gathers statistics, a join would read the whole table.
  `SELECT run_id AS run, (SELECT sum(${ROW} + pg_column_size(m.content)) FROM messages m WHERE m.agent_run_id = a.id) AS bytes
   FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT sum(${ROW} * 2 + pg_column_size(t.passages)) FROM retrievals t WHERE t.agent_run_id = a.id) AS bytes
   FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT sum(${ROW} + pg_column_size(s.name) + coalesce(pg_column_size(s.error), 0)) FROM steps s
     WHERE s.agent_run_id = a.id) AS bytes FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT sum(${ROW} * 3 + ${VECTOR} + pg_column_size(d.chosen) + coalesce(pg_column_size(d.reason), 0))
     FROM decisions d WHERE d.agent_run_id = a.id) AS bytes FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT sum(${ROW} + pg_column_size(t.text)) FROM reasonings t WHERE t.agent_run_id = a.id) AS bytes
   FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT count(*) * ${ROW} FROM usages u WHERE u.agent_run_id = a.id) AS bytes
   FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
  `SELECT run_id AS run, (SELECT count(*) * ${ROW} * 3 FROM effects e WHERE e.agent_run_id = a.id) AS bytes
   FROM agent_runs a WHERE workspace_id = $1 AND run_id = ANY($2::uuid[])`,
];

/** Bytes of each run. Runs that are gone have none. */
export async function sizesOf(workspaceId: string, runIds: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const part of PARTS) {
    const { rows } = await pool().query<{ run: string; bytes: number }>(
      `SELECT run, coalesce(sum(bytes), 0)::float8 AS bytes FROM (${part}) p GROUP BY run`,
      [workspaceId, runIds],
    );
    for (const { run, bytes } of rows) sizes.set(run, (sizes.get(run) ?? 0) + bytes);
  }
  return sizes;
}

const ENDED = "status IN ('completed', 'failed', 'aborted')";

/** Measures runs that ended since the last time, once and for all: what they keep does not change any more. */
export async function measureEndedRuns(workspaceId: string, signal?: AbortSignal): Promise<void> {
  await eachUnmeasured(workspaceId, ENDED, signal, async (sizes) => {
    await pool().query(
      `UPDATE runs r SET kept_bytes = s.bytes FROM unnest($2::uuid[], $3::bigint[]) AS s (id, bytes)
       WHERE r.workspace_id = $1 AND r.id = s.id AND r.${ENDED}`,
      [workspaceId, [...sizes.keys()], [...sizes.values()].map(Math.round)],
    );
  });
}

async function eachUnmeasured(
  workspaceId: string,
  which: string,
  signal: AbortSignal | undefined,
  take: (sizes: Map<string, number>) => Promise<void> | void,
): Promise<void> {
  const pace = new Pace(8, 256);
  let after = NO_ID;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await pool().query<{ id: string }>(
      `SELECT id FROM runs WHERE workspace_id = $1 AND kept_bytes IS NULL AND ${which} AND id > $2 ORDER BY id LIMIT $3`,
      [workspaceId, after, pace.size],
    );
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (!last) return;
    after = last;
    await take(await pace.time(() => sizesOf(workspaceId, ids)));
  }
}

/** Records of runs by themselves, and of conversations with the runs that are their turns. */
export async function measureRuns(
  workspaceId: string,
  signal: AbortSignal,
): Promise<{ runs: Sum; conversations: Sum }> {
  await measureEndedRuns(workspaceId, signal);
  const runs = { items: 0, bytes: 0 };
  const conversations = { items: 0, bytes: 0 };
  const inFlight = new Map<string, number>();
  await eachUnmeasured(workspaceId, `NOT ${ENDED}`, signal, (sizes) => {
    for (const [id, bytes] of sizes) inFlight.set(id, bytes);
  });
  const pace = new Pace(1_000, 20_000);
  let after = NO_ID;
  for (let more = true; more; ) {
    signal.throwIfAborted();
    const { rows } = await pace.time(() =>
      pool().query<{ id: string; is_turn: boolean; bytes: number | null }>(
        `SELECT id, conversation_id IS NOT NULL AS is_turn, kept_bytes::float8 AS bytes FROM runs
         WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [workspaceId, after, pace.size],
      ),
    );
    for (const { id, is_turn, bytes } of rows) {
      const sum = is_turn ? conversations : runs;
      sum.bytes += bytes ?? inFlight.get(id) ?? 0;
      if (!is_turn) sum.items += 1;
    }
    after = rows.at(-1)?.id ?? after;
    more = rows.length > 0;
  }
  const { rows } = await pool().query<{ items: number; bytes: number }>(
    `SELECT count(*)::int AS items, coalesce(sum(${ROW} * 2 + pg_column_size(title)), 0)::float8 AS bytes
     FROM conversations WHERE workspace_id = $1`,
    [workspaceId],
  );
  conversations.items = rows[0]?.items ?? 0;
  conversations.bytes += rows[0]?.bytes ?? 0;
  return { runs, conversations };
}
