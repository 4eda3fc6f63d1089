-- The list of runs: archive, tags, saved views, and runs that people remove.

-- Since when lists leave it out, and who wanted it.
ALTER TABLE "runs" ADD COLUMN "archived_at" TIMESTAMPTZ(3);
ALTER TABLE "runs" ADD COLUMN "archived_by_id" UUID;
-- A person removed it: no list shows it any more, and whatever of it is left goes.
ALTER TABLE "runs" ADD COLUMN "removing_at" TIMESTAMPTZ(3);
ALTER TABLE "runs" ADD CONSTRAINT "runs_archived_by_id_fkey" FOREIGN KEY ("archived_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What the list is filtered by, in its order. Nothing that changes while a run works is in them.
CREATE INDEX "runs_workspace_id_started_by_id_created_at_id_idx" ON "runs"("workspace_id", "started_by_id", "created_at" DESC, "id");
CREATE INDEX "runs_agent_version_id_idx" ON "runs"("agent_version_id", "created_at" DESC) WHERE "agent_version_id" IS NOT NULL;
CREATE INDEX "runs_archived_idx" ON "runs"("workspace_id", "created_at" DESC, "id") WHERE "archived_at" IS NOT NULL;
CREATE INDEX "runs_removing_idx" ON "runs"("id") WHERE "removing_at" IS NOT NULL;

CREATE TABLE "run_tags" (
  "run_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "workspace_id" UUID NOT NULL,
  "tag" TEXT NOT NULL,
  CONSTRAINT "run_tags_pkey" PRIMARY KEY ("run_id", "key")
);
CREATE INDEX "run_tags_workspace_id_key_run_id_idx" ON "run_tags"("workspace_id", "key", "run_id");
ALTER TABLE "run_tags" ADD CONSTRAINT "run_tags_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "run_views" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "filters" JSONB NOT NULL,
  "is_shared" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "run_views_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "run_views_workspace_id_id_key" ON "run_views"("workspace_id", "id");
CREATE UNIQUE INDEX "run_views_name_key" ON "run_views"("workspace_id", "user_id", lower("name"));
ALTER TABLE "run_views" ADD CONSTRAINT "run_views_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "run_views" ADD CONSTRAINT "run_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is left of a run that a person removed: who did it, and what it counted for.
CREATE TABLE "removed_runs" (
  "run_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "conversation_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removed_by_id" UUID,
  "steps" INTEGER NOT NULL,
  "decisions" INTEGER NOT NULL,
  "bytes" BIGINT NOT NULL,
  "cost_nano_usd" BIGINT NOT NULL,
  "tokens" BIGINT NOT NULL,
  -- The part of it that was spent on the day (UTC) it was removed.
  "day_cost_nano_usd" BIGINT NOT NULL,
  "day_tokens" BIGINT NOT NULL,
  CONSTRAINT "removed_runs_pkey" PRIMARY KEY ("run_id")
);
CREATE INDEX "removed_runs_workspace_id_removed_at_idx" ON "removed_runs"("workspace_id", "removed_at");
CREATE INDEX "removed_runs_conversation_id_idx" ON "removed_runs"("conversation_id");
ALTER TABLE "removed_runs" ADD CONSTRAINT "removed_runs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "removed_runs" ADD CONSTRAINT "removed_runs_removed_by_id_fkey" FOREIGN KEY ("removed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- As before, and with what runs had spent that day that were removed on it: removing a run gives none of the day's money back.
CREATE OR REPLACE FUNCTION spent_on(p_workspace uuid, p_day date) RETURNS TABLE (cost bigint, tokens bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(spent.cost), 0)::bigint, coalesce(sum(spent.tokens), 0)::bigint
  FROM (
    SELECT worked.cost, worked.tokens FROM runs r CROSS JOIN LATERAL (
      SELECT sum(u.cost_nano_usd) AS cost, sum(u.input_tokens + u.output_tokens) AS tokens FROM steps s
      JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
      WHERE s.run_id = r.id AND s.finished_at >= p_day::timestamp AT TIME ZONE 'UTC'
        AND s.finished_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
    ) worked
    WHERE r.workspace_id = p_workspace AND r.removing_at IS NULL
      AND (r.finished_at IS NULL OR r.finished_at >= p_day::timestamp AT TIME ZONE 'UTC')
    UNION ALL
    SELECT day_cost_nano_usd, day_tokens FROM removed_runs
    WHERE workspace_id = p_workspace AND removed_at >= p_day::timestamp AT TIME ZONE 'UTC'
      AND removed_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
  ) spent
$$;
