-- Runs that came from a file of another installation: looked at, never carried on, never counted as spent here.
CREATE TABLE "run_imports" (
  "run_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "source_run_id" UUID NOT NULL,
  "source_workspace_id" UUID NOT NULL,
  "source_workspace" TEXT NOT NULL,
  "started_by" TEXT,
  "saved_by" TEXT NOT NULL,
  "saved_at" TIMESTAMPTZ(3) NOT NULL,
  "sha256" TEXT NOT NULL,
  "imported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "imported_by_id" UUID,
  CONSTRAINT "run_imports_pkey" PRIMARY KEY ("run_id")
);
CREATE UNIQUE INDEX "run_imports_workspace_id_run_id_key" ON "run_imports"("workspace_id", "run_id");
ALTER TABLE "run_imports" ADD CONSTRAINT "run_imports_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "run_imports" ADD CONSTRAINT "run_imports_imported_by_id_fkey" FOREIGN KEY ("imported_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Whose word it was, where that is nobody of this installation.
ALTER TABLE "decision_labels" ADD COLUMN "author" TEXT;
ALTER TABLE "human_requests" ADD COLUMN "answered_by_name" TEXT;

-- Links to a run, or to a place in it. Only a hash of the token is kept.
CREATE TABLE "share_links" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "token_hash" TEXT NOT NULL,
  "place" TEXT,
  "created_by_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "share_links_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "share_links_token_hash_key" ON "share_links"("token_hash");
CREATE INDEX "share_links_workspace_id_run_id_idx" ON "share_links"("workspace_id", "run_id");
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- As before, without what imported runs had spent where they were made.
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
      AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)
    UNION ALL
    SELECT day_cost_nano_usd, day_tokens FROM removed_runs
    WHERE workspace_id = p_workspace AND removed_at >= p_day::timestamp AT TIME ZONE 'UTC'
      AND removed_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
  ) spent
$$;
