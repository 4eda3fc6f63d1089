-- What a turn writes to the log (docs/decisions/030-what-a-turn-writes.md): steps, usages and decisions are found by their agent run, whose index by
-- run there is; a decision has one unique index, by which others name it; and what is appended at an index's end splits no page in half.
DROP INDEX "steps_run_id_idx";
DROP INDEX "usages_run_id_idx";
DROP INDEX "decisions_run_id_idx";

ALTER TABLE "decisions" DROP CONSTRAINT "decisions_pkey";
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_pkey" PRIMARY KEY USING INDEX "decisions_workspace_id_id_key";

DROP INDEX "decisions_workspace_id_at_id_idx";
CREATE INDEX "decisions_workspace_id_at_id_idx" ON "decisions" ("workspace_id", "at", "id" DESC);

CREATE OR REPLACE FUNCTION spent_on(p_workspace uuid, p_day date) RETURNS TABLE (cost bigint, tokens bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(spent.cost), 0)::bigint, coalesce(sum(spent.tokens), 0)::bigint
  FROM (
    SELECT worked.cost, worked.tokens FROM runs r CROSS JOIN LATERAL (
      SELECT sum(u.cost_nano_usd) AS cost, sum(u.input_tokens + u.output_tokens) AS tokens FROM steps s
      JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
      WHERE s.agent_run_id = ANY(ARRAY(SELECT k.id FROM agent_runs k WHERE k.run_id = r.id))
        AND s.finished_at >= p_day::timestamp AT TIME ZONE 'UTC' AND s.finished_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
    ) worked
    WHERE r.workspace_id = p_workspace AND r.removing_at IS NULL
      AND (r.finished_at IS NULL OR r.finished_at >= p_day::timestamp AT TIME ZONE 'UTC')
      AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)
    UNION ALL
    SELECT day_cost_nano_usd, day_tokens FROM removed_runs
    WHERE workspace_id = p_workspace AND removed_at >= p_day::timestamp AT TIME ZONE 'UTC'
      AND removed_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
  ) spent
$$;
