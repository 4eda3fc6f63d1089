import { readByIndex } from "@/server/read-by-index";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionFilters, OptionOutcomes, OutcomeCounts } from "../schema";
import { filterDecisions } from "./filter-decisions";
import { IMPORTED } from "./outcome";

/** The newest of a filter: each is followed to what came of it, and somebody waits. */
const LOOKED_AT = 2_000;
const OPTIONS_SHOWN = 12;

type Row = OptionOutcomes & { all: number };

/**
 * How often each option was chosen among the newest decisions of a filter, and how that ended. A call counts with the agent run it
 * opened, else with its step; the same agent chosen twice in one decision has two agent runs, in order. With a filter by option, only
 * that one of what was chosen beside it. What imported runs decided is not the workspace's own and does not count.
 */
export async function countOutcomes(workspaceId: WorkspaceId, filters: DecisionFilters): Promise<OutcomeCounts> {
  const { conditions, values, bind } = filterDecisions(workspaceId, filters);
  const found = await readByIndex<{ id: string }>(
    `SELECT d.id FROM decisions d WHERE ${[...conditions, `NOT ${IMPORTED}`].join(" AND ")} ORDER BY d.at DESC, d.id LIMIT ${bind(LOOKED_AT + 1)}`,
    values,
  );
  const looked = found.slice(0, LOOKED_AT).map(({ id }) => id);
  const rows = await readByIndex<Row>(
    `WITH counted AS MATERIALIZED (
       SELECT d.* FROM unnest($2::uuid[]) AS x (id) CROSS JOIN LATERAL (
         SELECT d.id, d.agent_run_id, d.chosen FROM decisions d WHERE d.id = x.id AND d.workspace_id = $1) d
     ), choices AS MATERIALIZED (
       SELECT d.id, d.agent_run_id, c ->> 'option' AS option, c ->> 'label' AS label, (c ->> 'position')::int AS position,
         row_number() OVER (PARTITION BY d.id, c ->> 'option' ORDER BY nth) AS twin
       FROM counted d CROSS JOIN jsonb_array_elements(d.chosen) WITH ORDINALITY AS e (c, nth)
       WHERE $3 = '' OR c ->> 'option' = $3
     ), ended AS (
       SELECT c.option, c.label, coalesce(${OPENED}, ${RECORDED}, ${UNDER_WAY}) AS status FROM choices c
     )
     SELECT option, max(label) AS label, count(*)::int AS times,
       (count(*) FILTER (WHERE status = 'completed'))::int AS completed,
       (count(*) FILTER (WHERE status IN ('failed', 'aborted', 'interrupted')))::int AS failed,
       (count(*) FILTER (WHERE status NOT IN ('completed', 'failed', 'aborted', 'interrupted')))::int AS open,
       (count(*) FILTER (WHERE status IS NULL))::int AS nothing,
       (count(*) OVER ())::int AS "all"
     FROM ended GROUP BY option ORDER BY count(*) DESC, option LIMIT ${OPTIONS_SHOWN}`,
    [workspaceId, looked, filters.option],
  );
  return {
    options: rows.map(({ all: _, ...option }) => option),
    others: Math.max(0, (rows[0]?.all ?? 0) - rows.length),
    decisions: looked.length,
    isCut: found.length > looked.length,
  };
}

/** Status of what carried a choice `c` out, each looked up by index: the agent run it opened, its step, or that it is at it. */
const OPENED = `(SELECT k.status::text FROM agent_runs k WHERE k.spawned_by_id = c.id AND 'agent:' || k.name = c.option
  ORDER BY k.created_at, k.id OFFSET c.twin - 1 LIMIT 1)`;
const RECORDED = "(SELECT s.status FROM steps s WHERE s.agent_run_id = c.agent_run_id AND s.position = c.position)";
const UNDER_WAY = `(SELECT 'running' FROM agent_runs w WHERE w.id = c.agent_run_id AND w.status NOT IN ('completed', 'failed', 'aborted')
  AND w.open_steps @> jsonb_build_array(jsonb_build_object('position', c.position)))`;
