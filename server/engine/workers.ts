import type pg from "pg";

/** What a worker hears when it says that it lives. */
export type Beat = {
  /** How far the database's clock is ahead of this process's. */
  clockOffsetMs: number;
  /** Ids of the workers that live, this one among them, in the order every worker hears them. */
  living: string[];
};

/** Says that this worker lives and forgets those not heard of for `deadAfterMs`, by the database's clock. */
export async function beat(pool: pg.Pool, workerId: string, deadAfterMs: number): Promise<Beat> {
  const { rows } = await pool.query<{ now: Date; others: string[] }>({
    name: "worker_beat",
    text: `with dead as (delete from workers where beat_at < clock_timestamp() - make_interval(secs => $4) and id <> $1)
      insert into workers (id, host, pid, beat_at) values ($1, $2, $3, clock_timestamp())
      on conflict (id) do update set beat_at = clock_timestamp() returning clock_timestamp() as now,
        array(select id from workers where id <> $1 and beat_at >= clock_timestamp() - make_interval(secs => $4)) as others`,
    values: [workerId, workerId.split("-")[0], process.pid, deadAfterMs / 1000],
  });
  const { now, others } = rows[0] ?? { now: new Date(), others: [] };
  return { clockOffsetMs: now.getTime() - Date.now(), living: [workerId, ...others].sort() };
}

/** The workflow that carries an agent run on is named after it; each time it was held and resumed it is a new one. */
export function readWorkflowId(workflowId: string): { agentRunId: string; generation: number } {
  const [agentRunId = "", generation] = workflowId.split(".");
  return { agentRunId, generation: Number(generation ?? 0) };
}

/** As resume_run() announces it. */
const WORKFLOW_ID = "ar.id::text || case when ar.generation = 0 then '' else '.' || ar.generation end";

/**
 * Time in which no worker lived counts against no run. Called by one that begins, or that was not heard of itself for a while; does
 * nothing while another one lives. A clock that stopped counts until something was last recorded.
 */
export async function restartClocks(pool: pg.Pool, workerId: string, deadAfterMs: number): Promise<void> {
  await pool.query(
    `update runs set active_since = now(), progress_at = now(), active_ms = active_ms
         + greatest(0, (extract(epoch from coalesce(progress_at, active_since) - active_since) * 1000)::bigint)
       where status = 'running'
         and not exists (select 1 from workers where id <> $1 and beat_at > clock_timestamp() - make_interval(secs => $2))`,
    [workerId, deadAfterMs / 1000],
  );
}

export async function leave(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query("delete from workers where id = $1", [workerId]);
}

/**
 * Lets go of all workflows but these ahead of leave(): they get an owner nobody knows, and the others are told to look.
 * For a worker that claims nothing more, else it would be the first to take them again. A worker that was told to end is no
 * attempt that failed.
 */
export async function releaseAllBut(pool: pg.Pool, workerId: string, kept: readonly string[]): Promise<void> {
  await pool.query(
    `with released as (update dbos.workflow_status set executor_id = $1 || ' (left)'
       where executor_id = $1 and status = 'PENDING' and workflow_uuid <> all($2) returning workflow_uuid),
     forgiven as (update agent_runs ar set attempts = greatest(attempts - 1, 0) from released
       where ar.id = split_part(workflow_uuid, '.', 1)::uuid and ar.worker_id = $1)
     select pg_notify('troupe_work', 'released:' || workflow_uuid) from released`,
    [workerId, kept],
  );
}

/** Between two attempts at an agent run that is cut off again and again; up to half as much more, so that they part. */
const LONGEST_PAUSE_S = 10;

export type Strays = {
  /** Workflows that were never begun, of children that are stored and of what was resumed: the hint was lost. */
  unstarted: string[];
  /** Workflows owned by a worker that is gone. */
  ownerless: string[];
  /** Workflows this worker owns and has not opened: it is about to, or never heard that they are its own. */
  unopened: string[];
  /** Agent runs whose workflow is over though they are not: nobody will carry them on. */
  ended: { id: string; why: string }[];
};

/**
 * Agent runs that nobody executes although somebody should. No run stays "running" for ever (promise 1). One that outlived
 * `mostAttempts` executions without recording a step probably ends its workers: it is set aside. Until then it is taken up after
 * longer and longer pauses from the second attempt on, counted from when its worker can be known to be dead.
 */
export async function findStrays(
  pool: pg.Pool,
  { workerId, mostAttempts, deadAfterMs }: { workerId: string; mostAttempts: number; deadAfterMs: number },
): Promise<Strays> {
  const { rows } = await pool.query<{
    id: string;
    workflow: string;
    what: "unstarted" | "ownerless" | "unopened" | "ended";
    why: string;
  }>({
    name: "worker_strays",
    text: `select ar.id, ${WORKFLOW_ID} as workflow, coalesce(w.status, '') as why,
        case when w.workflow_uuid is null then 'unstarted'
          when w.status = 'PENDING' and w.executor_id = $4 then 'unopened'
          when w.status = 'PENDING' and ar.attempts < $1 then 'ownerless' else 'ended' end as what
      from agent_runs ar left join dbos.workflow_status w on w.workflow_uuid = ${WORKFLOW_ID}
      where ar.status in ('queued', 'running', 'waiting') and (
        -- Roots that wait for room are no strays: see admission.ts.
        (w.workflow_uuid is null and ar.created_at < now() - interval '1 second'
          and not (ar.status = 'queued' and ar.parent_id is null))
        or (w.status = 'PENDING' and not exists (select 1 from workers where workers.id = w.executor_id)
          -- What is cut off with others that end their worker gets on between two of their attempts.
          and (ar.attempts < 2 or ar.opened_at is null or now() > ar.opened_at
            + make_interval(secs => $3 + least($2, power(2, ar.attempts - 1)) * (0.5 + (hashtext(ar.id::text || ar.attempts) & 1023) / 1024.0))))
        or (w.status = 'PENDING' and w.executor_id = $4 and ar.worker_id is distinct from $4)
        or w.status in ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'SUCCESS'))
      order by ar.id limit 500`,
    values: [mostAttempts, LONGEST_PAUSE_S, deadAfterMs / 1000, workerId],
  });
  const of = (what: string) => rows.filter((row) => row.what === what);
  return {
    unstarted: of("unstarted").map(({ workflow }) => workflow),
    ownerless: of("ownerless").map(({ workflow }) => workflow),
    unopened: of("unopened").map(({ workflow }) => workflow),
    ended: of("ended"),
  };
}

/**
 * Of an agent run whose execution was cut off: it has ended for this workflow, a living worker executes it since, or nobody does.
 * What is held has ended for its workflow, and so has what was resumed in another.
 */
export type Standing = "ended" | "elsewhere" | "free" | "unknown";

/**
 * `epoch` is that of the execution that was cut off. `own`: the worker whose only execution of it asks; a newer epoch of
 * that worker is then the asker's own, begun by a call whose answer was lost.
 */
export async function findStanding(
  pool: pg.Pool,
  { workflowId, epoch, own }: { workflowId: string; epoch: number; own: string | null },
): Promise<Standing> {
  const { agentRunId, generation } = readWorkflowId(workflowId);
  const { rows } = await pool.query<{ standing: Standing }>({
    name: "worker_standing",
    text: `select case when status not in ('queued', 'running', 'waiting') or generation > $4 then 'ended'
        when epoch > $2 and worker_id is distinct from $3::text and exists (select 1 from workers where workers.id = worker_id)
          then 'elsewhere' else 'free' end as standing
      from agent_runs where id = $1`,
    values: [agentRunId, epoch, own, generation],
  });
  return rows[0]?.standing ?? "ended";
}

/** Shows an agent run, and with the root its run, as interrupted. A parent that waits for it gets that as its end. */
export async function interrupt(pool: pg.Pool, agentRunId: string, why: string): Promise<void> {
  const reason = why === "PENDING" ? "too many executions in a row were cut off" : `execution ended (${why})`;
  await pool.query("select interrupt_agent_run($1, $2)", [agentRunId, reason]);
}
