import type pg from "pg";

/** Runs one worker carries on at once, unless it is told otherwise; what waits for people or is held does not count. */
export const MOST_RUNS = 500;

/** How long a run is left to the worker whose turn it is. After that it is anybody's: that one may be full, busy or gone. */
export const LEFT_TO_ITS_WORKER_MS = 250;

/** A worker's place among those that live, of which each is as often the next as any other. */
export type Place = { at: number; of: number };

export const ALONE: Place = { at: 0, of: 1 };

/** `living` in the order all workers have it. One that the others do not know yet goes for everything. */
export function placeAmong(living: readonly string[], workerId: string): Place {
  const at = living.indexOf(workerId);
  return at < 0 ? ALONE : { at, of: living.length };
}

/** Whether the worker at this place is to begin this root: every worker comes to the same, and asks none. */
export function isTurnOf({ at, of }: Place, id: string): boolean {
  return Number.parseInt(id.slice(-7), 16) % of === at;
}

/**
 * Root agent runs that wait for a worker and that this one is to begin, whether more wait, and whether there is room for more. Workspaces
 * take turns: whose runs are fewest at work comes first, and within a workspace who waits longest, so that a thousand runs of one keep no
 * other waiting. Workers share: each takes those whose turn is its own (`isTurnOf`) and those left too long, and at most its part of all, so that
 * none stands idle beside one that took everything.
 * What any worker has begun is left out. `starting`: those this one has begun and not opened yet; they are not named again and take up
 * room for as long as they are queued.
 */
export async function nextQueued(
  pool: pg.Pool,
  {
    workerId,
    mostRuns,
    starting,
    place,
  }: { workerId: string; mostRuns: number; starting: ReadonlySet<string>; place: Place },
): Promise<{ ids: string[]; more: boolean; hasRoom: boolean }> {
  const { rows } = await pool.query<{ ids: string[]; waiting: number; left: number }>({
    name: "next_queued",
    text: `with at_work as (
        select r.workspace_id, count(*) as runs, count(*) filter (
            -- Of a worker that is gone: somebody is about to take it over.
            where ar.worker_id = $1 or not exists (select from workers where workers.id = ar.worker_id)) as own
        -- The root of each run at work by itself, found by its run: the embedded database keeps no statistics, and joined the planner
        -- begins with all roots there ever were.
        from runs r cross join lateral (select worker_id from agent_runs where run_id = r.id and depth = 0 limit 1) ar
        where r.status = 'running' group by r.workspace_id
      ), room as (
        select greatest(0, $2 - coalesce((select sum(own) from at_work), 0)
          - (select count(*) from agent_runs where id = any($3::uuid[]) and status = 'queued'))::int as "left"
      ), waiting as (
        select next.*, coalesce(at_work.runs, 0) + next.nth as turn from room, workspaces w
        left join at_work on at_work.workspace_id = w.id
        cross join lateral (
          select waiting.*, row_number() over (order by created_at, id) as nth from (
            select id, created_at from agent_runs
            where workspace_id = w.id and status = 'queued' and parent_id is null and not id = any($3::uuid[])
              and not exists (select from dbos.workflow_status where workflow_uuid = agent_runs.id::text)
            order by created_at, id limit room."left" * $4::int + 1) waiting
        ) next
      )
      select room."left", (select count(*) from waiting)::int as waiting, array(
          select id from waiting
          where ('x' || right(id::text, 7))::bit(28)::int % $4 = $5
            or created_at < clock_timestamp() - make_interval(secs => $6)
          order by turn, created_at, id
          limit least(room."left", ceil((select count(*) from waiting) / $4::float)::int)) as ids
      from room`,
    values: [workerId, mostRuns, [...starting], place.of, place.at, LEFT_TO_ITS_WORKER_MS / 1000],
  });
  const { ids, waiting, left } = rows[0] ?? { ids: [], waiting: 0, left: 0 };
  return { ids, more: waiting > ids.length, hasRoom: left > ids.length };
}
