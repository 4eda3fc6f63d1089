/**
 * What came of a decision `d`, as SQL: a word of OUTCOMES. Of all that carried it out, agent runs it opened and steps it named, the worst
 * counts: one that failed or was stopped, else one that is not over, else all went well.
 */
export const OUTCOME = `(
  SELECT CASE WHEN bool_or(x.status IN ('failed', 'aborted', 'interrupted')) THEN 'failed'
    WHEN bool_or(x.status <> 'completed') THEN 'open' WHEN count(*) > 0 THEN 'completed' ELSE 'nothing' END
  FROM (
    SELECT k.status::text AS status FROM agent_runs k WHERE k.workspace_id = d.workspace_id AND k.spawned_by_id = d.id
    UNION ALL
    SELECT s.status FROM jsonb_array_elements(d.chosen) c
    JOIN steps s ON s.agent_run_id = d.agent_run_id AND s.position = (c ->> 'position')::int
    UNION ALL
    SELECT 'running' FROM agent_runs w CROSS JOIN jsonb_array_elements(w.open_steps) o
    WHERE w.workspace_id = d.workspace_id AND w.id = d.agent_run_id AND w.status NOT IN ('completed', 'failed', 'aborted')
      AND d.chosen @> jsonb_build_array(jsonb_build_object('position', (o ->> 'position')::int))
  ) x)`;

/**
 * Whether a fork has it from the run it was made of, where it was decided: until that run is removed. Written so that it is looked up
 * among the few forks of the workspace $1.
 */
export const KEPT_OF_ANOTHER_RUN = `(d.run_id IN (SELECT f.id FROM runs f WHERE f.workspace_id = $1 AND f.forked_from_run_id IS NOT NULL)
    AND d.at < (SELECT f.created_at FROM runs f WHERE f.workspace_id = $1 AND f.id = d.run_id))`;

/** Whether its run came from a file of another installation: decided elsewhere, and nothing this workspace can be judged by. $1 is the workspace. */
export const IMPORTED = "(d.run_id IN (SELECT i.run_id FROM run_imports i WHERE i.workspace_id = $1))";

/** What is said of a decision `d` now, oldest first: [{verdict, by}]. */
export const STANDING_LABELS = `(
  SELECT coalesce(json_agg(json_build_object('verdict', l.verdict, 'by', coalesce(u.name, l.author, 'Somebody who left')) ORDER BY l.at, l.id), '[]')
  FROM decision_labels l LEFT JOIN users u ON u.id = l.user_id WHERE l.decision_id = d.id AND l.ended_at IS NULL)`;
