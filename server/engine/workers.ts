import type pg from "pg";

/**
 * Says that this worker lives and forgets those not heard of for `deadAfterMs`, by the database's clock.
 * Returns how far that clock is ahead of this process's, in ms.
 */
export async function beat(pool: pg.Pool, workerId: string, deadAfterMs: number): Promise<number> {
  const { rows } = await pool.query<{ now: Date }>({
    name: "worker_beat",
    text: `with dead as (delete from workers where beat_at < clock_timestamp() - make_interval(secs => $4) and id <> $1)
      insert into workers (id, host, pid, beat_at) values ($1, $2, $3, clock_timestamp())
      on conflict (id) do update set beat_at = clock_timestamp() returning clock_timestamp() as now`,
    values: [workerId, workerId.split("-")[0], process.pid, deadAfterMs / 1000],
  });
  return rows[0] ? rows[0].now.getTime() - Date.now() : 0;
}

export async function leave(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query("delete from workers where id = $1", [workerId]);
}

/** An agent run that outlived this many executions probably ends its workers: it is set aside, not taken over again. */
const MOST_EXECUTIONS = 50;

export type Strays = {
  /** Stored, but no workflow was ever begun for them: the hint was lost. */
  unstarted: string[];
  /** Owned by a worker that is gone. */
  ownerless: string[];
  /** Their workflow is over though they are not: nobody will carry them on. */
  ended: { id: string; why: string }[];
};

/** Agent runs that nobody executes although somebody should. No run stays "running" for ever (promise 1). */
export async function findStrays(pool: pg.Pool): Promise<Strays> {
  const { rows } = await pool.query<{ id: string; what: "unstarted" | "ownerless" | "ended"; why: string }>({
    name: "worker_strays",
    text: `select ar.id, case when w.workflow_uuid is null then 'unstarted' when w.status = 'PENDING' and ar.epoch < $1 then 'ownerless' else 'ended' end as what,
        coalesce(w.status, '') as why
      from agent_runs ar left join dbos.workflow_status w on w.workflow_uuid = ar.id::text
      where ar.status in ('queued', 'running', 'waiting') and (
        (w.workflow_uuid is null and ar.created_at < now() - interval '1 second')
        or (w.status = 'PENDING' and not exists (select 1 from workers where workers.id = w.executor_id))
        or w.status in ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'SUCCESS'))
      order by ar.id limit 500`,
    values: [MOST_EXECUTIONS],
  });
  const of = (what: string) => rows.filter((row) => row.what === what);
  return {
    unstarted: of("unstarted").map(({ id }) => id),
    ownerless: of("ownerless").map(({ id }) => id),
    ended: of("ended"),
  };
}

/** Shows an agent run, and with the root its run, as interrupted. A parent that waits for it gets that as its end. */
export async function interrupt(pool: pg.Pool, agentRunId: string, why: string): Promise<void> {
  const reason = why === "PENDING" ? `${MOST_EXECUTIONS} executions were cut off` : `execution ended (${why})`;
  await pool.query("select interrupt_agent_run($1, $2)", [agentRunId, reason]);
}
