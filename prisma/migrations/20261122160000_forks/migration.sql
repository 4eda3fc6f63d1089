-- Runs that were retried from a step of another one.

ALTER TABLE "runs" ADD COLUMN "forked_from_run_id" UUID;
-- How many of that run's events were kept.
ALTER TABLE "runs" ADD COLUMN "forked_at_seq" INTEGER;
-- The step of that run before which it was cut.
ALTER TABLE "runs" ADD COLUMN "forked_at_agent_run_id" UUID;
ALTER TABLE "runs" ADD COLUMN "forked_at_position" INTEGER;
-- What is otherwise than in that run, see server/engine/overrides.ts.
ALTER TABLE "runs" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '{}';
CREATE INDEX "runs_forked_from_run_id_idx" ON "runs"("forked_from_run_id") WHERE "forked_from_run_id" IS NOT NULL;
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_forked_from_run_id_fkey" FOREIGN KEY ("workspace_id", "forked_from_run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- {inputTokens, outputTokens, costNanoUsd} of a step that was copied: what it used where it was made. Null: made in this run.
-- A copied model call has no row in usages, so that nothing is counted twice.
ALTER TABLE "steps" ADD COLUMN "reused" JSONB;

-- Errors are counted by code, each in the run it was made in.
CREATE INDEX "steps_failed_idx" ON "steps"("workspace_id", "finished_at") WHERE "status" = 'failed' AND "reused" IS NULL;
